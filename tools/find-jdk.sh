# find-jdk.sh: sourced by ./heddle and by the scripts in tools.
#
#   jdk=$(find_jdk25 NAME)    prints the home of a JDK 25
#
# HEDDLE_JAVA_HOME decides if it is set. Otherwise it is the first JDK 25 among JAVA_HOME, the java on the PATH and its
# neighbours, and the folders where installers put JDKs. If there is none, one sentence, with NAME before it, says what
# to do, and the script that called ends with exit code 2 (under set -e).

is_jdk25() {
    [[ -x $1/bin/javac && -r $1/release ]] && grep -q '^JAVA_VERSION="25[."]' "$1/release"
}

find_jdk25() ( # a subshell: nullglob is for this function only
    shopt -s nullglob
    if [[ -n ${HEDDLE_JAVA_HOME:-} ]]; then
        if ! is_jdk25 "$HEDDLE_JAVA_HOME"; then
            echo "$1: HEDDLE_JAVA_HOME is $HEDDLE_JAVA_HOME, which is not a JDK 25." >&2
            exit 2
        fi
        echo "$HEDDLE_JAVA_HOME"
        exit
    fi
    candidates=("${JAVA_HOME:-}")
    if java=$(command -v java); then
        java=$(dirname "$(dirname "$(readlink -f "$java")")")
        beside=$(dirname "$java")
        candidates+=("$java" "$beside"/*)
    fi
    candidates+=(/usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/*
        /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home
        "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.gradle/jdks/*
        "${HOME:-}"/.asdf/installs/java/* "${HOME:-}"/.local/share/mise/installs/java/*)
    for candidate in "${candidates[@]}"; do
        if [[ -n $candidate ]] && is_jdk25 "$candidate"; then
            echo "$candidate"
            exit
        fi
    done
    echo "$1: Heddle needs a JDK 25 and found none: install one (for example Temurin 25, from adoptium.net or by 'sdk install java 25-tem'), or set HEDDLE_JAVA_HOME to it." >&2
    exit 2
)
