import triton


def block_for(n: int) -> int:
    return max(16, triton.next_power_of_2(n))
