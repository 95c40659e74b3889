"""What torch.cuda asks its C++ code for, answered for the one GPU and its one stream."""

#: What torch's Python code asks its C++ code for; the build for the CPU has none of it.
NATIVE = {
    "_cuda_getDevice": lambda: 0,
    "_cuda_setDevice": lambda _: None,
    "_cuda_exchangeDevice": lambda _: 0,
    "_cuda_maybeExchangeDevice": lambda _: 0,
    "_cuda_getDeviceCount": lambda: 1,
    "_cuda_isInBadFork": lambda: False,
    "_cuda_isCurrentStreamCapturing": lambda: False,
    "_cuda_getCurrentRawStream": lambda _: 0,
    "_cuda_synchronize": lambda: None,
    "_cuda_emptyCache": lambda: None,
}

#: What torch.cuda itself goes by where it changes the device for a while (`with torch.cuda._DeviceGuard(0)`).
EXCHANGES = {"_exchange_device": lambda _: 0, "_maybe_exchange_device": lambda _: 0}
