//go:build unix

package runner

import "syscall"

// cpuSeconds is what this process has used of all processors, user and system.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of an argument that is a constant
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
