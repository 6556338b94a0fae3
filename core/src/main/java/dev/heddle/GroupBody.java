package dev.heddle;

/// What a goroutine of a group runs: the user's body, and what the group does after it. Dumps and traces name the
/// goroutine after the user's body.
abstract class GroupBody implements Go.Body {
    final Go.Body body;

    GroupBody(Go.Body body) {
        this.body = body;
    }
}
