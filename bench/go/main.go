// Command bench is the Go peer of `heddle bench`: the workloads as a Go programmer writes them.
//
// A line in, `run NAME SIZE WIDTH`; a line out, `ok figure=value ...`, `unsupported`, or `failed` and why. In between a
// workload may ask its caller for something by a line of its own, and gets a line back. The JVM peers speak the same.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

var programs = map[string]func(*job) error{
	"spawn":    spawn,
	"pingpong": pingPong,
	"buffered": buffered,
	"ring":     ring,
	"skynet":   skynet,
	"sieve":    sieve,
	"yield":    yield,
	"select":   selectOfFour,
	"fanout":   fanOut,
	"fib":      fib,
	"lock":     lock,
	"sleepers": sleepers,
	"memory":   memory,
	"hogs":     hogs,
	"echo":     echo,
	"busyecho": busyecho,
	"blocking": blocking,
}

// job is one run of a workload: how large it is, what it found, and the line to whoever asked for it.
type job struct {
	size, width int
	figures     []string
	in          *bufio.Scanner
}

// figure reports a figure beyond the time of the run. Infinite means never.
func (j *job) figure(name string, value float64) {
	text := fmt.Sprintf("%.1f", value)
	if math.IsInf(value, 1) {
		text = "never"
	}
	j.figures = append(j.figures, name+"="+text)
}

// ask asks the caller to do his part, and waits for his answer.
func (j *job) ask(line string) (string, error) {
	fmt.Println("ask " + line)
	if !j.in.Scan() {
		return "", fmt.Errorf("nobody answers to '%s'", line)
	}
	return j.in.Text(), nil
}

func check(expected, actual int) error {
	if expected != actual {
		return fmt.Errorf("the result is %d, not %d", actual, expected)
	}
	return nil
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var name string
		j := &job{in: in}
		fmt.Sscanf(in.Text(), "run %s %d %d", &name, &j.size, &j.width)
		fmt.Println(answer(name, j))
	}
}

func answer(name string, j *job) string {
	program := programs[name]
	if program == nil {
		return "unsupported"
	}
	runtime.GC() // nobody pays for what an earlier program left
	cpu := cpuTime()
	start := time.Now()
	err := program(j)
	wall := time.Since(start)
	j.figure("wall", float64(wall))
	j.figure("cpu", float64(cpuTime()-cpu))
	if err != nil {
		return "failed " + err.Error()
	}
	return "ok " + strings.Join(j.figures, " ")
}

func cpuTime() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}
