type Rule = (index: number) => number;

const mixed: Rule = (index) => (index * 37) % 101;
const sum = (from: number, to: number, rule: Rule): number => Array.from({ length: to - from }, (_, at) => rule(from + at)).reduce((a, b) => a + b, 0);

/** What the twin of a kernel leaves in an output, element by element, computed from the fills that its header names. */
export interface ExpectedOutput {
  readonly output: string;
  readonly value: Rule;
}

const y = (value: Rule): ExpectedOutput => ({ output: "y", value });

/** Expected outputs of the twins by kernel. */
export const plantedResults: Readonly<Record<string, ExpectedOutput>> = {
  bounds_tail: y((i) => 2 * i),
  bounds_off_by_one: y((i) => 3 * i),
  bounds_left_neighbour: y((i) => (i === 0 ? 0 : 1)),
  bounds_wrong_stride: y((i) => (i % 24) * 40 + Math.floor(i / 24)),
  bounds_vector_tail: y((i) => i + 1),
  bounds_overflow: y((i) => i),
  bounds_either_guard: y((i) => Math.floor(i / 30) + (i % 30)),
  bounds_gather_none: y((i) => (i % 3 === 0 ? -7 : i - 1)),
  bounds_last_bin: { output: "bins", value: (i) => (i === 9 ? 11 : 10) },
  bounds_bytes_for_elements: y(() => (127 * 128) / 2),
  bounds_device_array: y((i) => 16 * (i + 2)),
  bounds_batch_twice: y((i) => i / 2),
  tile_padding_forgotten: y((i) => (i % 32) * 32 + Math.floor(i / 32)),
  tile_halo_forgotten: y((i) => 3 * (i + 1)),
  tile_dynamic_too_small: y((i) => 11 * (127 - i)),
  tile_partner_missing: y((i) => i + (i < 16 ? i + 48 : 0)),
  window_of_a_thread: y((i) => sum(0, 8, (tap) => (i + tap) * 3 ** tap)),
  stack_of_a_thread: y((i) => [3, 2, 1, 0].reduce((total, depth) => 2 * total + i + depth, 0)),
  freed_input: y((i) => i + 1),
  freed_work_space: { output: "work", value: (i) => i * i },
  freed_behind_a_pointer: y((i) => 2 * i),
  freed_counter: { output: "total", value: () => (31 * 32) / 2 },
  float4_of_a_view: y((i) => i + 4),
  double2_of_odd_rows: y((i) => Math.floor(i / 16) * 18 + (i % 16)),
  float4_behind_a_head: y((i) => 2 * (31 - i) + 3),
  int_of_a_packet: y((i) => [0, 1, 2, 3].reduce((word, byte) => word | ((3 + 4 * i + byte) << (8 * byte)), 0)),
  half2_of_an_odd_column: y(() => 0),
  fresh_accumulator: y((i) => i),
  fresh_atomic_total: { output: "total", value: () => (63 * 64) / 2 },
  fresh_shared_bins: { output: "bins", value: (bin) => sum(0, 128, (i) => ((mixed(i) & 15) === bin ? 1 : 0)) },
  tail_of_a_tile: { output: "sums", value: (block) => (block === 0 ? (63 * 64) / 2 : sum(64, 100, (i) => i)) },
  halo_not_loaded: y((i) => 2 * i + 2),
  fourth_component: y((i) => 6 * (31 - i)),
  list_read_to_its_room: y((i) => (i === 0 ? sum(0, 64, (at) => (mixed(at) & 1 ? mixed(at) : 0)) : 0)),
  partial_of_no_warp: y(() => (95 * 96) / 2),
  grid_rounded_down: y((i) => i + 5),
  early_return_without_result: y((i) => (mixed(i) % 3 === 0 ? 0 : Math.trunc(100 / (mixed(i) % 3)))),
  second_item_forgotten: y((i) => 7 * i),
  rest_behind_the_vectors: y((i) => i),
  only_the_diagonal_blocks: y((i) => (i % 16) * 16 + Math.floor(i / 16)),
  barrier_in_a_branch: y((i) => (i < 16 ? 2 * i + 16 : i)),
  barrier_in_an_uneven_loop: y((i) => sum(0, i + 1, (step) => 32 * step + i)),
  barrier_of_all_but_one_warp: y((i) => 95 - i),
  named_barrier_wrong_count: y((i) => 31 - i),
  named_barrier_wrong_number: y((i) => 31 - i),
  shuffle_in_a_branch: y((i) => (i < 8 ? 2 * i + 8 : i < 16 ? 2 * i : i)),
  shuffle_mask_without_itself: y((i) => i ^ 1),
  shuffle_with_exited_lanes: y(() => (19 * 20) / 2),
  vote_of_some_lanes: y((i) => (mixed(i) & 1 ? sum(0, 32, (lane) => (mixed(lane) & 1 && mixed(lane) > 50 ? 1 : 0)) : 0)),
  warp_barrier_in_two_groups: y((i) => (i < 12 ? 2 * (11 - i) : i)),
  too_many_threads: y((i) => (i < 1024 ? 1 : 0)),
  too_many_threads_together: y((i) => (i < 1024 ? 1 : 0)),
  too_much_shared_memory: y((i) => i),
  grid_too_high: y(() => 1),
  beyond_its_launch_bound: y((i) => (i < 128 ? 1 : 0)),
  empty_grid: y(() => 1),
};
