"""Fills the caches of gopls and of the compiler while the image is built.

    .venv/bin/python binder/image/warm.py

It asks for a completion in every code cell of every notebook, so that gopls knows the packages they import, and runs
an empty test and heavycell/main.go. The notebooks themselves are run by binder/notebooks.py. It fails where the kernel
does.
"""
import json

from lab import ROOT, SETUP, CellError, Lab, fail


def code_cells(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and (source := "".join(cell["source"]).rstrip()):
            yield source


def main():
    heavy = (ROOT / "binder/image/heavycell/main.go").read_text()
    with Lab(MEMLAB_COMPLETION="1") as lab, lab.kernel() as kernel:
        try:
            kernel.run(SETUP)
            for notebook in sorted(ROOT.glob("notebooks/*.ipynb")):
                for source in code_cells(notebook):
                    kernel.complete(source)
            kernel.run("%test\nfunc TestNothing(t *testing.T) {}")
            _, cell = kernel.run(heavy)
            completion = kernel.complete_word(heavy, "Stoch", "StochasticGradientDescent")
        except CellError as error:
            fail(error)
    print(f"warm.py: heavycell {cell:.1f} s, completion {completion:.1f} s")


if __name__ == "__main__":
    main()
