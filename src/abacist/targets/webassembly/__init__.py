"""The WebAssembly target: programs that train several runs at once in a browser, from the same statements.

It runs nothing itself. What it makes are bytes, and text to stand behind a text of the JavaScript target.
"""

from abacist.targets.webassembly.module import lanes_script_text, lanes_text
from abacist.targets.webassembly.programs import program_bytes

__all__ = ["lanes_script_text", "lanes_text", "program_bytes"]
