package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// memory says how much a goroutine needs that waits at a channel.
func memory(j *job) error {
	before, err := status("VmRSS:")
	if err != nil {
		return err
	}
	gate := make(chan bool)
	var arrived atomic.Int32
	var group sync.WaitGroup
	for range j.size {
		group.Go(func() {
			arrived.Add(1)
			<-gate
		})
	}
	for int(arrived.Load()) < j.size {
		time.Sleep(time.Millisecond)
	}
	debug.FreeOSMemory() // collects as well
	after, err := status("VmRSS:")
	j.figure("bytes", 1024*float64(after-before)/float64(j.size))
	close(gate)
	group.Wait()
	return err
}

// echo is a server with a goroutine for each connection, until the caller's client is done.
func echo(j *job) error {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer server.Close()
	go func() {
		for range j.width {
			connection, err := server.Accept()
			if err != nil {
				return
			}
			go echoAll(connection)
		}
	}()
	answer, err := j.ask(fmt.Sprintf("listening %d", server.Addr().(*net.TCPAddr).Port))
	if err != nil {
		return err
	}
	for _, figure := range strings.Fields(answer) { // the client's figures, or a sentence that says why there are none
		name, value, _ := strings.Cut(figure, "=")
		nanos, err := strconv.ParseFloat(value, 64)
		if value == "never" {
			nanos, err = math.Inf(1), nil
		}
		if err != nil {
			return errors.New(answer)
		}
		j.figure(name, nanos)
	}
	return nil
}

// busyecho is the same server while as many goroutines as there are processors compute without a pause.
func busyecho(j *job) error {
	var stop atomic.Bool
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	defer stop.Store(true)
	return echo(j)
}

func echoAll(connection net.Conn) {
	defer connection.Close()
	buffer := make([]byte, 4096)
	for {
		length, err := connection.Read(buffer)
		if err != nil {
			return
		}
		if _, err = connection.Write(buffer[:length]); err != nil {
			return
		}
	}
}

// blocking has goroutines that all block in read(2): a pipe opened by os.Open would be polled instead.
func blocking(j *job) error {
	folder, err := os.MkdirTemp("", "heddle-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fifo := filepath.Join(folder, "fifo")
	if err = syscall.Mkfifo(fifo, 0o600); err != nil {
		return err
	}
	pipe, err := syscall.Open(fifo, syscall.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(pipe)
	var entered, released atomic.Int32
	start := time.Now()
	for range j.size {
		go func() {
			entered.Add(1)
			if n, _ := syscall.Read(pipe, make([]byte, 1)); n == 1 {
				released.Add(1)
			}
		}()
	}
	awaitAll(&entered, j.size)
	block := math.Inf(1)
	if int(entered.Load()) == j.size {
		block = float64(time.Since(start))
	}
	j.figure("block", block)
	threads, err := status("Threads:")
	if err != nil {
		return err
	}
	j.figure("threads", float64(threads))
	release := time.Now()
	if _, err = syscall.Write(pipe, make([]byte, j.size)); err != nil {
		return err
	}
	awaitAll(&released, j.size)
	j.figure("release", float64(time.Since(release)))
	return check(j.size, int(released.Load()))
}

func awaitAll(counter *atomic.Int32, size int) {
	for start := time.Now(); int(counter.Load()) < size && time.Since(start) < 3*time.Second; {
		time.Sleep(200 * time.Microsecond)
	}
}

// status is a number that Linux says about this process.
func status(key string) (int, error) {
	lines, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(lines)) {
		if value, found := strings.CutPrefix(line, key); found {
			return strconv.Atoi(strings.TrimSpace(strings.ReplaceAll(value, "kB", "")))
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no %s", key)
}
