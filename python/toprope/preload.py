"""The import hook that puts Toprope's libraries under torch_npu.

toprope.pth imports this module at every start of Python, so it imports nothing and does one thing: it waits for
`import torch_npu`. What happens then is in toprope.torch_session.
"""

import sys


class TorchNpuFinder:
    """Finds torch_npu as the other finders do, and surrounds its execution with our preparation and installation."""

    def __init__(self):
        self._searching = False

    def find_spec(self, name, path=None, target=None):
        """The spec of torch_npu; None, without a look, for every other module."""
        if name != "torch_npu" or self._searching:
            return None
        self._searching = True
        try:
            import importlib.util

            spec = importlib.util.find_spec(name)
        finally:
            self._searching = False
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            from toprope import torch_session

            torch_session.prepare(spec)
            execute(module)
            torch_session.install()

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, TorchNpuFinder())
