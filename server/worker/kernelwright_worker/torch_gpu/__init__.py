"""Makes `device="cuda"` work in a program whose GPU is the virtual one: tensors, torch.cuda and extensions."""
