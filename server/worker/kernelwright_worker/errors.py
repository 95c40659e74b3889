"""The one exception that crosses the protocol."""

from __future__ import annotations


class WorkerError(Exception):
    """An operational failure: `code` is one of the product's codes, `remedy` one command that mends it (or
    empty).
    """

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.remedy = remedy

    def as_message(self) -> dict[str, str]:
        return {"code": self.code, "message": str(self), "remedy": self.remedy}
