//go:build xla && cgo

package gomlx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"

	"memlab/pkg/cartridge"
)

// XLA makes an engine on Google's XLA, which takes 16 steps in a call (see
// cartridge.Stepper). It computes on the CPU, with a plugin that is looked for in
// the folders of PJRT_PLUGIN_LIBRARY_PATH, or without that variable where go-xla's
// installer puts it. Nothing is downloaded, and no other engine takes its place: a
// plugin that is missing is ErrNoPlugin.
func XLA(s cartridge.Setup) (cartridge.Engine, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b, err := xlaBackend()
	if err != nil {
		return nil, err
	}
	return StepsOn(b)(s)
}

const (
	pluginPath = "PJRT_PLUGIN_LIBRARY_PATH"
	plugin     = "cpu"
	howToGet   = "get one with go run github.com/gomlx/go-xla/cmd/pjrt_installer@latest -autoinstall, " +
		"or name the folder of pjrt_c_api_cpu_plugin.so in " + pluginPath
)

var xlaLoaded struct {
	sync.Mutex
	backend compute.Backend
}

// xlaBackend loads the plugin once; it stays for the life of the process.
func xlaBackend() (compute.Backend, error) {
	xlaLoaded.Lock()
	defer xlaLoaded.Unlock()
	if xlaLoaded.backend != nil {
		return xlaLoaded.backend, nil
	}
	xla.EnableAutoInstall(false) // it is on unless GOMLX_NO_AUTO_INSTALL is set
	if err := checkFolders(os.Getenv(pluginPath)); err != nil {
		return nil, err
	}
	names, err := available()
	if err != nil {
		return nil, err
	}
	isCPU := func(name string) bool { return name == plugin || strings.HasPrefix(name, plugin+"_v") }
	if !slices.ContainsFunc(names, isCPU) {
		if folders := os.Getenv(pluginPath); folders != "" {
			return nil, fmt.Errorf("%w for the CPU in %s=%s: %s", ErrNoPlugin, pluginPath, folders, howToGet)
		}
		return nil, fmt.Errorf("%w for the CPU is installed: %s", ErrNoPlugin, howToGet)
	}
	// Some plugins pretend to be four devices, and keep as many threads awake.
	b, err := xla.NewWithOptions(plugin, pjrt.NamedValuesMap{"cpu_device_count": int64(1)})
	if err != nil {
		return nil, fmt.Errorf("gomlx: the XLA plugin cannot be used: %w", err)
	}
	xlaLoaded.backend = b
	return b, nil
}

// available are the plugins that are found. go-xla panics at one that is no library.
func available() (names []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			where := "installed"
			if folders := os.Getenv(pluginPath); folders != "" {
				where = "in " + pluginPath + "=" + folders
			}
			err = fmt.Errorf("%w: the one %s cannot be loaded, is it whole and made for this machine? %s", ErrNoPlugin, where, howToGet)
		}
	}()
	return xla.GetAvailablePlugins(), nil
}

// checkFolders says which folder of a path is none.
func checkFolders(path string) error {
	for _, folder := range filepath.SplitList(path) {
		info, err := os.Stat(folder)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%w: %s names %s: there is no such folder; %s", ErrNoPlugin, pluginPath, folder, howToGet)
		case err != nil:
			return fmt.Errorf("%w: %s: %w", ErrNoPlugin, pluginPath, err)
		case !info.IsDir():
			return fmt.Errorf("%w: %s names %s, which is a file: want its folder", ErrNoPlugin, pluginPath, folder)
		}
	}
	return nil
}
