// Package image_test holds what describes the image together: Dockerfile, devcontainer.json, go.mod, requirements.
package image_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// firstMatch returns what the expression's group matches, and fails the test where nothing does.
func firstMatch(t *testing.T, name, expression string) string {
	t.Helper()
	found := regexp.MustCompile(expression).FindStringSubmatch(read(t, name))
	if found == nil {
		t.Fatalf("%s: nothing matches %s", name, expression)
	}
	return found[1]
}

func TestGoVersionOfTheImageIsThatOfGoMod(t *testing.T) {
	got := firstMatch(t, "binder/Dockerfile", `(?m)^ARG GO_VERSION=(\S+)$`)
	want := firstMatch(t, "go.mod", `(?m)^go (\d+\.\d+)`)
	if got != want {
		t.Errorf("binder/Dockerfile: GO_VERSION=%s, want %s as in go.mod", got, want)
	}
	if image := firstMatch(t, "binder/Dockerfile", `(?m)^ARG GO_IMAGE=(\S+)$`); !strings.Contains(image, ":${GO_VERSION}-") {
		t.Errorf("binder/Dockerfile: GO_IMAGE=%s, want its tag to begin with ${GO_VERSION}", image)
	}
}

// A version is named in go.mod or binder/requirements.txt, and binder/setup reads it there.
func TestNoPackageVersionIsTypedIn(t *testing.T) {
	version := regexp.MustCompile(`[=@:]v?\d+\.\d+|\bv\d+\.\d+`)
	installer := regexp.MustCompile(`\b(pip3?|uv|npm|conda) +(install|add)\b|\bgo +(install|get)\b`)
	for _, name := range []string{"binder/Dockerfile", ".devcontainer/devcontainer.json"} {
		for i, line := range strings.Split(read(t, name), "\n") {
			if strings.HasPrefix(line, "ARG GO_VERSION=") || strings.HasPrefix(line, "#") {
				continue
			}
			if found := version.FindString(strings.ReplaceAll(line, "0.0.0.0", "every address")); found != "" {
				t.Errorf("%s:%d names the version %q: want it in go.mod or binder/requirements.txt only", name, i+1, found)
			}
			if found := installer.FindString(line); found != "" {
				t.Errorf("%s:%d runs %q: want binder/setup to install packages", name, i+1, found)
			}
		}
	}
	if !regexp.MustCompile(`(?m)^(RUN| +&&) [^#\n]*\bbinder/setup \\$`).MatchString(read(t, "binder/Dockerfile")) {
		t.Error("binder/Dockerfile does not run binder/setup: the image must be what a laptop gets")
	}
}

func TestBothDockerfilesAreOneFile(t *testing.T) {
	info, err := os.Lstat(filepath.Join(root, "binder/Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	if !info.Mode().IsRegular() {
		t.Error("binder/Dockerfile is a link: want the file itself there, some builders do not follow a link out of its folder")
	}
	target, err := os.Readlink(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatalf("want a link to binder/Dockerfile (git clone -c core.symlinks=true makes it one): %v", err)
	}
	if target != "binder/Dockerfile" {
		t.Errorf("Dockerfile is a link to %s, want binder/Dockerfile, relative, so that it holds in a clone", target)
	}
}

func TestBinderChoosesTheUser(t *testing.T) {
	dockerfile := read(t, "binder/Dockerfile")
	for _, line := range []string{"ARG NB_USER=jovyan", "ARG NB_UID=1000", "USER ${NB_USER}", "WORKDIR ${HOME}"} {
		if !slices.Contains(strings.Split(dockerfile, "\n"), line) {
			t.Errorf("binder/Dockerfile lacks the line %q", line)
		}
	}
	if !strings.Contains(dockerfile, " HOME=/home/${NB_USER} ") {
		t.Error("binder/Dockerfile does not set HOME=/home/${NB_USER}, where Binder looks for the notebooks")
	}
	if strings.Contains(dockerfile, "ENTRYPOINT") {
		t.Error("binder/Dockerfile sets an ENTRYPOINT: Binder passes a command of its own, want CMD only")
	}
	for _, found := range regexp.MustCompile(`(?m)^USER (\S+)$`).FindAllStringSubmatch(dockerfile, -1) {
		if found[1] == "root" {
			t.Error("binder/Dockerfile changes back to root: Binder wants the user it named")
		}
	}
}

// Whatever a COPY names has to be there and must not be kept out of the context.
func TestWhatIsCopiedExists(t *testing.T) {
	ignored := strings.Fields(read(t, ".dockerignore"))
	copies := regexp.MustCompile(`(?m)^COPY --chown=\S+ (.+)$`).FindAllStringSubmatch(read(t, "binder/Dockerfile"), -1)
	if len(copies) == 0 {
		t.Fatal("binder/Dockerfile copies nothing")
	}
	for _, found := range copies {
		words := strings.Fields(found[1])
		for _, source := range words[:len(words)-1] {
			if _, err := os.Stat(filepath.Join(root, source)); err != nil {
				t.Errorf("binder/Dockerfile copies %s: %v", source, err)
			}
			if slices.Contains(ignored, source) {
				t.Errorf("binder/Dockerfile copies %s, which .dockerignore keeps out", source)
			}
		}
	}
}

func TestDevcontainerUsesTheSameImage(t *testing.T) {
	var config struct {
		Build struct {
			Dockerfile, Context string
			Args                map[string]string
		}
		RemoteUser        string
		ForwardPorts      []int
		PostCreateCommand string
	}
	decoder := json.NewDecoder(strings.NewReader(read(t, ".devcontainer/devcontainer.json")))
	if err := decoder.Decode(&config); err != nil {
		t.Fatalf("devcontainer.json: %v", err)
	}
	// Its paths are relative to its own folder.
	for path, want := range map[string]string{config.Build.Dockerfile: "binder/Dockerfile", config.Build.Context: "."} {
		if got := filepath.Join(".devcontainer", path); path == "" || got != want {
			t.Errorf("devcontainer.json: the path %q is %s, want %s", path, got, want)
		}
	}
	for name := range config.Build.Args {
		firstMatch(t, "binder/Dockerfile", `(?m)^ARG (`+regexp.QuoteMeta(name)+`)=`)
	}
	if want := firstMatch(t, "binder/Dockerfile", `(?m)^ARG NB_USER=(\S+)$`); config.RemoteUser != want {
		t.Errorf("devcontainer.json: remoteUser %q, want %q as in binder/Dockerfile", config.RemoteUser, want)
	}
	port, err := strconv.Atoi(firstMatch(t, "binder/Dockerfile", `(?m)^EXPOSE (\d+)$`))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(config.ForwardPorts, port) {
		t.Errorf("devcontainer.json forwards %v, want the port %d that the image exposes", config.ForwardPorts, port)
	}
	if info, err := os.Stat(filepath.Join(root, config.PostCreateCommand)); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("devcontainer.json: postCreateCommand %q is no program of the repository (%v)", config.PostCreateCommand, err)
	}
}
