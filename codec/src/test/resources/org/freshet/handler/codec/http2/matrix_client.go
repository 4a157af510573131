// One row of Http2ClientMatrixTest with Go's net/http: matrix_client.go PORT BEHAVIOUR. Prints "PATH LENGTH MD5" for each answer.
package main

import (
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

var server = "http://127.0.0.1:" + os.Args[1]
var client = newClient()

func newClient() *http.Client {
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: &protocols}}
}

func check(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// Reads pieces of 4 KiB, with a pause after each.
func report(path string, answer *http.Response, pause time.Duration) {
	digest, length, piece := md5.New(), 0, make([]byte, 4096)
	for {
		n, err := answer.Body.Read(piece)
		length += n
		digest.Write(piece[:n])
		if err == io.EOF {
			break
		}
		check(err)
		if pause > 0 {
			time.Sleep(pause)
		}
	}
	fmt.Printf("%s %d %x\n", path, length, digest.Sum(nil))
}

func get(path string, pause time.Duration) {
	answer, err := client.Get(server + path)
	check(err)
	report(path, answer, pause)
}

func cancelled(path string) {
	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, "GET", server+path, nil)
	check(err)
	answer, err := client.Do(request)
	check(err)
	_, err = io.ReadFull(answer.Body, make([]byte, 100))
	check(err)
	cancel()
	answer.Body.Close()
}

func parallel(tasks ...func()) {
	var all sync.WaitGroup
	for _, task := range tasks {
		all.Add(1)
		go func() {
			defer all.Done()
			task()
		}()
	}
	all.Wait()
}

func slow() {
	parallel(func() { get("/big/1000000", time.Millisecond) }, func() {
		for i := 0; i < 10; i++ {
			get("/small/"+strings.Repeat("n", i), 0)
		}
	})
}

func cancel() {
	var tasks []func()
	for i := 0; i < 10; i++ {
		tasks = append(tasks, func() { cancelled("/big/20000000") })
		tasks = append(tasks, func() { get(fmt.Sprint("/big/", 200000+i), 0) })
	}
	parallel(tasks...)
	get("/small/after", 0)
}

func small() {
	reader, writer := io.Pipe()
	go func() {
		for i := 0; i < 2000; i++ {
			fmt.Fprint(writer, strings.Replace(fmt.Sprintf("%16d", i), " ", ".", -1))
		}
		writer.Close()
	}()
	answer, err := client.Post(server+"/echo", "text/plain", reader)
	check(err)
	report("/echo", answer, 0)
}

func drain() {
	var tasks []func()
	for i := 0; i < 5; i++ {
		tasks = append(tasks, func() { get(fmt.Sprint("/held/5/", 1000000+i), 0) })
	}
	parallel(tasks...)
	get("/small/after", 0)
}

func main() {
	first, err := client.Get(server + "/small/first") // the others share its connection
	check(err)
	io.Copy(io.Discard, first.Body)
	behaviours := map[string]func(){"slow": slow, "cancel": cancel, "small": small, "drain": drain,
		"fast": func() { get("/big/2000000000", 0) }}
	behaviours[os.Args[2]]()
}
