type Rule = (index: number) => number;

const mixed: Rule = (index) => (index * 37) % 101;
const sum = (from: number, to: number, rule: Rule): number =>
  Array.from({ length: to - from }, (_, at) => rule(from + at)).reduce((a, b) => a + b, 0);

/**
 * What the twin of a kernel leaves in an output, element by element, computed from the fills that its header
 * names.
 */
export interface ExpectedOutput {
  readonly output: string;
  readonly value: Rule;
}

const y = (value: Rule): ExpectedOutput => ({ output: "y", value });

/** Expected outputs of the twins by kernel. */
export const plantedResults: Readonly<Record<string, ExpectedOutput>> = {
  aligned_barrier_in_both_branches: y((i) => 63 - i + ((63 - i) % 32 < 16 ? 0 : 100)),
  bounds_tail: y((i) => 2 * i),
  bounds_off_by_one: y((i) => 3 * i),
  bounds_left_neighbour: y((i) => (i === 0 ? 0 : 1)),
  bounds_wrong_stride: y((i) => (i % 24) * 40 + Math.floor(i / 24)),
  bounds_vector_tail: y((i) => i + 1),
  bounds_overflow: y((i) => i),
  bounds_either_guard: y((i) => i + 3),
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
  int_of_a_packet: y((i) =>
    [0, 1, 2, 3].reduce((word, byte) => word | ((3 + 4 * i + byte) << (8 * byte)), 0),
  ),
  half2_of_an_odd_column: y(() => 0),
  fresh_accumulator: y((i) => i),
  fresh_atomic_total: { output: "total", value: () => (63 * 64) / 2 },
  fresh_shared_bins: {
    output: "bins",
    value: (bin) => sum(0, 128, (i) => ((mixed(i) & 15) === bin ? 1 : 0)),
  },
  tail_of_a_tile: {
    output: "sums",
    value: (block) => (block === 0 ? (63 * 64) / 2 : sum(64, 100, (i) => i)),
  },
  halo_not_loaded: y((i) => 2 * i + 2),
  fourth_component: y((i) => 6 * (31 - i)),
  list_read_to_its_room: y((i) => (i === 0 ? sum(0, 64, (at) => (mixed(at) & 1 ? mixed(at) : 0)) : 0)),
  partial_of_no_warp: y(() => (95 * 96) / 2),
  grid_rounded_down: y((i) => i + 5),
  early_return_without_result: y((i) => (mixed(i) % 3 === 0 ? 0 : Math.trunc(100 / (mixed(i) % 3)))),
  second_item_forgotten: y((i) => 7 * i),
  rest_behind_the_vectors: y((i) => i),
  only_the_diagonal_blocks: y((i) => (i % 16) * 16 + Math.floor(i / 16)),
  barrier_in_a_branch: y((i) => 31 - i + (31 - i < 16 ? 100 : 0)),
  tile_of_those_that_stay: y((i) => 79 - i),
  barrier_in_an_uneven_loop: y((i) => sum(0, i + 1, (step) => 32 * step + i)),
  barrier_of_all_but_one_warp: y((i) => 95 - i),
  named_barrier_wrong_count: y((i) => 31 - i),
  named_barrier_wrong_number: y((i) => 31 - i),
  shuffle_in_a_branch: y((i) => {
    if (i < 8) return 2 * i + 8;
    return i < 16 ? 2 * i : i;
  }),
  shuffle_mask_without_itself: y((i) => i ^ 1),
  shuffle_with_exited_lanes: y(() => (19 * 20) / 2),
  vote_of_some_lanes: y((i) =>
    mixed(i) & 1 ? sum(0, 32, (lane) => (mixed(lane) & 1 && mixed(lane) > 50 ? 1 : 0)) : 0,
  ),
  warp_barrier_in_two_groups: y((i) => (i < 12 ? 2 * (11 - i) : i)),
  too_many_threads: y((i) => (i < 1024 ? 1 : 0)),
  too_many_threads_together: y((i) => (i < 1024 ? 1 : 0)),
  too_much_shared_memory: y((i) => i),
  grid_too_high: y(() => 1),
  beyond_its_launch_bound: y((i) => (i < 128 ? 1 : 0)),
  empty_grid: y(() => 1),
  tile_read_too_early: y((i) => 63 - i),
  tile_overwritten_too_early: y((i) => sum(0, 4, (piece) => 64 * piece + 63 - i)),
  reduction_without_barriers: y(() => (127 * 128) / 2),
  reduction_in_supposed_lockstep: y(() => (31 * 32) / 2),
  two_lanes_one_word: y((i) => i | 1),
  counter_reset_beside_atomics: y(() => sum(0, 64, (i) => (mixed(i) > 50 ? 1 : 0))),
  counter_read_beside_atomics: y(() => sum(0, 64, (i) => mixed(i) & 1)),
  histogram_without_atomics: y((bin) => sum(0, 64, (i) => ((mixed(i) & 15) === bin ? 1 : 0))),
  histogram_before_all_are_zero: y((bin) => sum(0, 64, (i) => ((mixed(i) & 15) === bin ? 1 : 0))),
  ring_with_a_stage_too_few: y((i) => sum(0, 6, (k) => (k + 1) * (64 * k + 63 - i))),
  named_barrier_of_one_warp: y((i) => 31 - i),
  producer_ahead_of_its_consumer: y((i) => Math.floor(i / 32) * 32 + 31 - (i % 32)),
  halo_behind_the_barrier: y((i) => 2 * i + 2),
  scan_stores_too_early: y((i) => (i * (i + 1)) / 2),
  scratch_reused_too_early: y(() => 63 * 64 * 32 - (63 * 64) / 2),
  word_of_other_threads_bytes: y((i) =>
    [0, 1, 2, 3].reduce((word, byte) => word | ((4 * i + byte) << (8 * byte)), 0),
  ),
  warp_barrier_for_a_block: y((i) => (i + 32) % 64),
  last_match_wins: y(() => 1),
  sorting_without_barriers: y(
    (i) => Array.from({ length: 64 }, (_, at) => mixed(at)).sort((a, b) => a - b)[i] ?? NaN,
  ),
  copy_not_waited_for: y((i) => 63 - i),
  copy_of_others_not_waited_for: y((i) => 63 - i),
  copy_waits_for_one_group_too_few: y((i) => sum(0, 8, (k) => (k + 1) * (64 * k + 63 - i))),
  copy_started_too_early: y((i) => sum(0, 4, (k) => 64 * k + 63 - i)),
  store_under_a_copy: y((i) => (31 - i >= 20 ? 0 : 31 - i)),
  blocks_add_plainly: { output: "total", value: () => (127 * 128) / 2 },
  exchange_between_blocks: y((i) => 2 * ((i + 1) % 128)),
  stencil_in_place: y((i) => (i > 0 && i < 129 ? 3 * i : 0)),
  last_block_without_fence: y(() => (127 * 128) / 2),
  last_block_with_a_narrow_fence: y((i) => sum(0, 4, (block) => 64 * block + i)),
  flag_without_release: y((i) => 31 - i),
  flag_without_acquire: y(() => 42),
  exchange_between_warps: y((i) => 3 * (63 - i)),
  lock_without_fence: { output: "counter", value: () => 4 },
  clear_beside_counting: { output: "count", value: () => 128 },
  look_back_without_waiting: y((i) =>
    Math.floor(i / 32) === 0 ? i : sum(0, Math.floor(i / 32) * 32, (at) => at) + i,
  ),
  histogram_of_blocks: {
    output: "bins",
    value: (bin) => sum(0, 64, (i) => ((mixed(i) & 7) === bin ? 1 : 0)),
  },
  blocks_overlap: y((i) => 1000 * Math.floor(i / 64) + (i % 64)),
  bits_of_one_byte: { output: "marks", value: (i) => mixed(i) & 1 },
  maximum_without_atomics: {
    output: "best",
    value: () => Math.max(...Array.from({ length: 64 }, (_, i) => mixed(i))),
  },
  atomic_of_one_block: { output: "total", value: () => 128 },
  header_of_every_block: y((i) => Math.floor(i / 32)),
  warps_share_a_column: y((i) => i),
  mask_forgotten: y((i) => 2 * i),
  barrier_object_expects_too_many: y((i) => 63 - i),
  barrier_object_of_the_wrong_phase: y((i) => 63 - i),
  left_neighbour_in_a_tile: y((i) => Math.max(i, 1) - 1),
  store_mask_forgotten: y((i) => i + 1),
  pointer_advances_too_far: y(() => 256),
  mask_of_the_wrong_axis: y((i) => 3 * i),
  embedding_of_padding: y((i) => (i % 3 === 0 ? -7 : i - 1)),
  accumulates_into_fresh_memory: y((i) => i),
  partial_sum_missing: y(() => 512),
  grid_without_the_tail: y((i) => i - 1),
  programs_add_plainly: y(() => 512),
  shift_in_place: y((i) => (i < 512 ? i + 1 : 0)),
  relaxed_lock: y(() => 4),
  tiles_overlap: y((i) => 1000 * Math.floor(i / 128) + (i % 128)),
};
