#include "device/connection.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

namespace kernelwright {
namespace {

[[noreturn]] void giveUp(const char *problem) {
  std::fprintf(stderr, "kernelwright: %s\n", problem);
  std::fflush(nullptr);
  _exit(127);
}

/** Begins the value of KERNELWRIGHT_DEVICE when it names an open descriptor. */
constexpr char kInherited[] = "fd:";

struct Header {
  uint32_t word;
  uint32_t zero;
  uint64_t bytes;
};
static_assert(sizeof(Header) == kHeaderBytes, "the header is packed");

class Connection {
public:
  /** The descriptor of this process; a child of fork gets a connection of its own. */
  int descriptor() {
    if (descriptor_ >= 0 && owner_ == getpid()) return descriptor_;
    const char *path = std::getenv("KERNELWRIGHT_DEVICE");
    if (path == nullptr)
      giveUp("this program was built for the virtual GPU: start it with `kernelwright run`");
    if (std::strncmp(path, kInherited, sizeof kInherited - 1) == 0)
      return inherited(std::atoi(path + sizeof kInherited - 1));
    if (descriptor_ >= 0) close(descriptor_);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    // A forked child never sees replies to its parent's requests.
    posted_ = 0;
    descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    owner_ = getpid();
    if (descriptor_ < 0 || connect(descriptor_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
      giveUp("the virtual GPU cannot be reached");
    return descriptor_;
  }

  void send(const Request &request, Payload payload) {
    Header header = {static_cast<uint32_t>(request.operation()), 0, request.bytes().size() + payload.size};
    iovec parts[3] = {{&header, sizeof header},
                      {const_cast<char *>(request.bytes().data()), request.bytes().size()},
                      {const_cast<void *>(payload.bytes), payload.size}};
    iovec *part = parts;
    int left = 3;
    while (left > 0) {
      if (part->iov_len == 0) {
        ++part;
        --left;
        continue;
      }
      msghdr message = {};
      message.msg_iov = part;
      message.msg_iovlen = static_cast<size_t>(left);
      const ssize_t sent = sendmsg(descriptor(), &message, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) giveUp("the virtual GPU has ended");
      for (size_t rest = static_cast<size_t>(sent); rest > 0;) {
        const size_t taken = rest < part->iov_len ? rest : part->iov_len;
        part->iov_base = static_cast<char *>(part->iov_base) + taken;
        part->iov_len -= taken;
        rest -= taken;
        if (part->iov_len == 0) {
          ++part;
          --left;
        }
      }
    }
  }

  void receive(void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
      const ssize_t got = recv(descriptor_, static_cast<char *>(bytes) + done, size - done, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) giveUp("the virtual GPU has ended");
      done += static_cast<size_t>(got);
    }
  }

  /** Reads the replies to what was posted. */
  void settlePosted() {
    if (owner_ != getpid()) posted_ = 0;
    for (; posted_ > 0; --posted_) {
      const int status = receiveReply({}).status;
      if (failure_ == 0) failure_ = status;
    }
  }

  /** Replies that nobody reads fill the socket, and a device that cannot write does not read. */
  void notePosted() {
    constexpr int kMost = 256;
    if (++posted_ >= kMost) settlePosted();
  }

  int takeFailure() {
    const int failure = failure_;
    failure_ = 0;
    return failure;
  }

  Reply receiveReply(Target target) {
    Header header = {};
    receive(&header, sizeof header);
    Reply reply;
    reply.status = static_cast<int>(header.word);
    if (reply.status == 0 && target.bytes != nullptr && header.bytes == target.size) {
      receive(target.bytes, target.size);
      return reply;
    }
    reply.body.resize(header.bytes);
    receive(reply.body.data(), reply.body.size());
    return reply;
  }

  std::mutex mutex;

private:
  /** A connection that was made before this program started, behind whose walls it can make none. */
  int inherited(int descriptor) {
    if (descriptor_ >= 0) giveUp("a process that was forked cannot use the virtual GPU of its parent");
    descriptor_ = descriptor;
    owner_ = getpid();
    fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
    return descriptor_;
  }

  int descriptor_ = -1;
  pid_t owner_ = 0;
  int posted_ = 0;
  int failure_ = 0;
};

Connection &connection() {
  // Never destroyed: destructors of the program's own objects may still free memory.
  static Connection *only = new Connection;
  return *only;
}

} // namespace

Reply exchange(const Request &request, Payload payload, Target target) {
  Connection &wire = connection();
  std::lock_guard<std::mutex> lock(wire.mutex);
  wire.descriptor();
  wire.settlePosted();
  wire.send(request, payload);
  Reply reply = wire.receiveReply(target);
  if (request.operation() == Operation::hello && reply.status != 0)
    giveUp(std::string(reply.body.begin(), reply.body.end()).c_str());
  return reply;
}

void post(const Request &request) {
  Connection &wire = connection();
  std::lock_guard<std::mutex> lock(wire.mutex);
  wire.send(request, {});
  wire.notePosted();
}

int takePosted() {
  Connection &wire = connection();
  std::lock_guard<std::mutex> lock(wire.mutex);
  wire.settlePosted();
  return wire.takeFailure();
}

} // namespace kernelwright
