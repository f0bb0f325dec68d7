"""A JupyterLab started as Binder starts it, and its kernels, for the scripts in this folder."""
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import websocket

ROOT = Path(__file__).resolve().parents[2]
SETUP = f'!*"{ROOT}/binder/import"'  # what the set-up cell of a notebook does, from any folder


class CellError(Exception):
    """A cell raised, or a shell line in it failed."""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Lab:
    """A running server; use it in a with statement. What Binder runs: COMMAND --ip= --port= --ServerApp.token=."""

    def __init__(self, command="jupyter-lab", **env):
        self.command, self.port, self.token = command, free_port(), secrets.token_hex(16)
        self.env = {**os.environ, **env}
        self.log = tempfile.NamedTemporaryFile("w+", prefix="memlab-lab-", suffix=".log")

    def __enter__(self):
        begin = time.monotonic()
        argv = [str(ROOT / ".venv/bin" / self.command), "--ip=127.0.0.1", f"--port={self.port}",
                f"--ServerApp.token={self.token}", "--ServerApp.port_retries=0", "--no-browser",
                f"--ServerApp.root_dir={ROOT}"]
        if os.geteuid() == 0:
            argv.append("--allow-root")
        self.process = subprocess.Popen(argv, cwd=ROOT, env=self.env, start_new_session=True,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        while True:
            with contextlib.suppress(OSError):
                self.request("GET", "/api/status")
                self.started = time.monotonic() - begin
                return self
            if self.process.poll() is not None or time.monotonic() - begin > 60:
                self.__exit__()
                raise RuntimeError(f"{self.command} did not start: {Path(self.log.name).read_text()[-2000:]}")
            time.sleep(0.05)

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        # A machine's proxy has no business with the loopback address.
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def kernel(self, notebook="notebooks/cell.ipynb"):
        """A kernel for a notebook of this path, which need not exist; its folder does."""
        return Kernel(self, notebook)


class Kernel:
    """One GoNB kernel behind the server's WebSocket; use it in a with statement."""

    def __init__(self, lab, notebook):
        self.lab, self.notebook = lab, notebook

    def __enter__(self):
        begin = time.monotonic()
        self.session = self.lab.request("POST", "/api/sessions", {
            "path": self.notebook, "name": Path(self.notebook).name, "type": "notebook", "kernel": {"name": "gonb"}})
        kernel = self.session["kernel"]["id"]
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{self.lab.port}/api/kernels/{kernel}/channels"
            f"?session_id={self.session['id']}&token={self.lab.token}", timeout=600,
            http_no_proxy=["127.0.0.1"])
        self.ask("kernel_info_request", {})
        self.started = time.monotonic() - begin
        return self

    def __exit__(self, *_):
        self.socket.close()
        with contextlib.suppress(OSError):
            self.lab.request("DELETE", f"/api/sessions/{self.session['id']}")

    def ask(self, kind, content, on_message=lambda message: None):
        """Sends a request and returns the reply's content, once the kernel is idle again."""
        message_id, reply, idle = uuid.uuid4().hex, None, False
        self.socket.send(json.dumps({
            "header": {"msg_id": message_id, "msg_type": kind, "username": "", "session": self.session["id"],
                       "version": "5.3", "date": ""},
            "parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}))
        while reply is None or not idle:
            message = json.loads(self.socket.recv())
            if message["parent_header"].get("msg_id") != message_id:
                continue
            if message["channel"] == "shell":
                reply = message["content"]
            elif message["msg_type"] == "status":
                idle = message["content"]["execution_state"] == "idle"
            else:
                on_message(message)
        return reply

    def run(self, code):
        """Runs a cell; returns its text and its seconds, or raises CellError."""
        streams = {"stdout": "", "stderr": ""}

        def collect(message):
            if message["msg_type"] == "stream":
                streams[message["content"]["name"]] += message["content"]["text"]

        begin = time.monotonic()
        reply = self.ask("execute_request", {"code": code, "silent": False, "store_history": True,
                                             "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}, collect)
        took = time.monotonic() - begin
        # The kernel reports a failed shell line or an unknown magic on stderr only.
        failed = any(line.startswith(("exit status", "signal:")) or "unknown or not implemented yet" in line
                     for line in streams["stderr"].splitlines())
        if reply["status"] != "ok" or failed:
            raise CellError(f"{reply.get('ename', '')} {reply.get('evalue', '')}\n{streams['stderr']}".strip())
        return streams["stdout"], took

    def complete(self, code):
        """The completions at the end of the code."""
        return self.ask("complete_request", {"code": code, "cursor_pos": len(code)}).get("matches", [])

    def complete_word(self, code, typed, word, limit=180):
        """Completes typed, standing for the first word of the code, until word is offered; returns the seconds it took.

        The kernel gives gopls 8 s and then answers with nothing, while gopls goes on reading packages.
        """
        begin = time.monotonic()
        before, _, after = code.partition(word)
        request = {"code": before + typed + after, "cursor_pos": len(before + typed)}
        while word not in (matches := self.ask("complete_request", request).get("matches", [])):
            if time.monotonic() - begin > limit:
                raise CellError(f"no {word} among the completions of {typed} {matches[:5]}: is gopls in .venv/completion?")
            time.sleep(0.1)
        return time.monotonic() - begin


def fail(message):
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(1)
