package testenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
)

// Crash kills the API server, leaves it down for a while, and starts it again on
// the same port with the same certificates and the same etcd. It returns once the
// server is ready. It finds the server's process through /proc, so it needs Linux.
func (e *Env) Crash(ctx context.Context, down time.Duration) error {
	pid, args, err := e.apiServer()
	if err != nil {
		return err
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return fmt.Errorf("killing the API server: %w", err)
	}
	if err := process.Kill(); err != nil {
		return fmt.Errorf("killing the API server: %w", err)
	}
	e.stopRestarted()
	select {
	case <-time.After(down):
	case <-ctx.Done():
		return ctx.Err()
	}
	// A client's attempt to connect may have taken the port meanwhile.
	for {
		again, err := startServer(args)
		if err != nil {
			return err
		}
		e.restarted = again
		err = e.waitReady(ctx, again.exited)
		if !errors.Is(err, errExited) || ctx.Err() != nil {
			return err
		}
	}
}

// restarted is an API server that was started again.
type restarted struct {
	process *os.Process
	exited  chan struct{}
}

func startServer(args []string) (*restarted, error) {
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the API server again: %w", err)
	}
	r := &restarted{process: cmd.Process, exited: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // it was killed, or another is started in its place
		close(r.exited)
	}()
	return r, nil
}

var errExited = errors.New("the API server has exited")

// waitReady waits until the API server says that it is ready, or has exited.
func (e *Env) waitReady(ctx context.Context, exited <-chan struct{}) error {
	clientset, err := kubernetes.NewForConfig(e.Config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	for {
		_, err := clientset.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-exited:
			return errExited
		case <-ctx.Done():
			return errors.Join(ctx.Err(), fmt.Errorf("the API server is not ready again: %w", err))
		}
	}
}

// stopRestarted ends the API server that Crash started, which envtest does not know.
func (e *Env) stopRestarted() {
	if e.restarted == nil {
		return
	}
	_ = e.restarted.process.Kill() // fails where it has exited
	<-e.restarted.exited
	e.restarted = nil
}

// apiServer finds the API server among this process's children by the port it serves.
func (e *Env) apiServer() (pid int, args []string, err error) {
	_, port, ok := strings.Cut(strings.TrimPrefix(e.Config.Host, "https://"), ":")
	if !ok {
		return 0, nil, fmt.Errorf("the API server's address %s has no port", e.Config.Host)
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, nil, err
	}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended since
		}
		args := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || filepath.Base(args[0]) != "kube-apiserver" || parent(pid) != os.Getpid() {
			continue
		}
		for _, arg := range args {
			if arg == "--secure-port="+strings.TrimSuffix(port, "/") {
				return pid, args, nil
			}
		}
	}
	return 0, nil, fmt.Errorf("no child process is the API server at %s: finding it needs Linux", e.Config.Host)
}

// parent is the id of a process's parent, 0 if it has ended.
func parent(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if value, ok := strings.CutPrefix(line, "PPid:"); ok {
			ppid, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				return 0
			}
			return ppid
		}
	}
	return 0
}
