// Work that is kept back, so that streams without an order between them run in another order than that of the
// calls. Whatever is done early is done in an order that streams allow: work waits only where nothing asks
// for it.
#pragma once

#include "graphs/tasks.hpp"

namespace kernelwright {

/** How far the work of a stream has come: all that was issued to it up to a number. */
struct WorkMark {
  cudaStream_t stream = nullptr;
  uint64_t number = 0;
};

/** What work is done first where something waits for that of one stream: that alone, or before it what was
 * issued later to others. */
enum class Turn { waited, others };

/** Says whether work is kept back from now on. What is kept already is done first. */
void keepWork(bool keeps, Turn first);
/** Whether what streams and graphs leave open is done latest first: then work is kept back. */
bool isLatestFirst();
/** A stream that the program has made: from the first one on, work can be kept back. */
void noteStream(cudaStream_t stream, bool isBlocking);
/** Pinned memory, with which copies go on while the host does, or managed memory, with which kernels do: from
 * the first one on, work can be kept back. */
void notePinned();
/** The stream's work is done; the next one may get its address. */
void forgetStream(cudaStream_t stream);
/** Keeps the task for later. False where it has to be done now, within `AtOnce`: nothing is kept back,
 * memory of the host that is not pinned takes part, or the call itself may fail. */
bool keepBack(cudaStream_t stream, const Task &task);
/** The work that is in the stream, and in those that it waits for. */
WorkMark markWork(cudaStream_t stream);
/** Does the work up to the mark. */
void performUpTo(const WorkMark &mark);
/** Does all work, that of the stream used last first. */
void performWaiting();
/** A call has returned: what its caller reads behind the default stream is done, the rest of what is kept
 * back never is. */
void dropUnwaited();
/** Whether the program has anything of that kind. */
bool canKeepBack();
/** Where the work was issued that is done late at this moment; null when none is. */
const std::string *placeOfWork();

/** Does what has to come before new work of a stream, or before a mark. As long as it lives, `synchronize()`
 * leaves the work of other streams waiting. */
class AtOnce {
public:
  explicit AtOnce(cudaStream_t stream);
  explicit AtOnce(const WorkMark &mark);
  ~AtOnce();
  AtOnce(const AtOnce &) = delete;
  AtOnce &operator=(const AtOnce &) = delete;
};

} // namespace kernelwright
