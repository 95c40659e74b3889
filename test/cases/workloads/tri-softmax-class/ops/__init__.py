from .softmax import RowSoftmax, log_softmax, softmax

__all__ = ["RowSoftmax", "softmax", "log_softmax"]
