package main

// pingPong sends a number to and fro over two unbuffered channels; each side adds one.
func pingPong(j *job) error {
	ping, pong := make(chan int), make(chan int)
	go func() {
		for value := range ping {
			pong <- value + 1
		}
	}()
	value := 0
	for range j.size {
		ping <- value + 1
		value = <-pong
	}
	close(ping)
	return check(2*j.size, value)
}

// buffered has a producer and a consumer with a buffer between them.
func buffered(j *job) error {
	values := make(chan int, j.width)
	go func() {
		for i := 1; i <= j.size; i++ {
			values <- i
		}
		close(values)
	}()
	sum := 0
	for value := range values {
		sum += value
	}
	return check(j.size*(j.size+1)/2, sum)
}

// ring sends a number round a ring of goroutines; each adds one and passes it on.
func ring(j *job) error {
	laps := j.size / j.width
	first := make(chan int)
	last := first
	for range j.width {
		last = ringNode(last)
	}
	value := 0
	for range laps {
		first <- value
		value = <-last
	}
	close(first)
	return check(laps*j.width, value)
}

func ringNode(in <-chan int) chan int {
	out := make(chan int)
	go func() {
		for value := range in {
			out <- value + 1
		}
		close(out)
	}()
	return out
}

// sieve is a chain of filters, one goroutine for each prime, with unbuffered channels between them.
func sieve(j *job) error {
	numbers := make(chan int)
	go func(out chan<- int) {
		for i := 2; i <= j.width; i++ {
			out <- i
		}
		close(out)
	}(numbers)
	prime := 0
	for range j.size {
		prime = <-numbers
		numbers = without(prime, numbers)
	}
	return check(j.width, prime) // the last number is the last prime
}

func without(prime int, in <-chan int) chan int {
	out := make(chan int)
	go func() {
		for value := range in {
			if value%prime != 0 {
				out <- value
			}
		}
		close(out)
	}()
	return out
}

// selectOfFour receives from four unbuffered channels, whichever is ready.
func selectOfFour(j *job) error {
	each := j.size / 4
	a, b, c, d := numbersUpTo(each), numbersUpTo(each), numbersUpTo(each), numbersUpTo(each)
	sum := 0
	for range 4 * each {
		select {
		case value := <-a:
			sum += value
		case value := <-b:
			sum += value
		case value := <-c:
			sum += value
		case value := <-d:
			sum += value
		}
	}
	return check(4*each*(each+1)/2, sum)
}

func numbersUpTo(last int) <-chan int {
	out := make(chan int)
	go func() {
		for i := 1; i <= last; i++ {
			out <- i
		}
	}()
	return out
}

const workers = 100

// fanOut gives numbers to a hundred workers over one channel, and collects their squares from a second.
func fanOut(j *job) error {
	jobs, results := make(chan int, j.width), make(chan int, j.width)
	for range workers {
		go func() {
			for value := range jobs {
				results <- value * value
			}
		}()
	}
	go func() {
		for i := 1; i <= j.size; i++ {
			jobs <- i
		}
		close(jobs)
	}()
	sum := 0
	for range j.size {
		sum += <-results
	}
	n := j.size
	return check(n*(n+1)*(2*n+1)/6, sum)
}
