#pragma once

namespace frames {

// How pixels outside of the picture are made up.
enum class Edge { BLACK, NEAREST };

}  // namespace frames
