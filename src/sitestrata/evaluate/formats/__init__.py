"""Files -> `Facts`: the formats that gold and answers come in, each told by its content.

`read_facts` is the way in. To add a format, write a reader in a module here and a line in that module's ``READERS``.
"""

from sitestrata.evaluate.formats.recognise import read_facts

__all__ = ["read_facts"]
