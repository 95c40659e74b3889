import { expect, test } from "vitest";
import { buildPrelude, type BuildSettings, nvccWords } from "../../../server/core/workload/build-settings";
import { createBuildService } from "../../../server/host/services/sources/build-service";
import { createInstanceFinder } from "../../../server/host/services/sources/kernel-instances";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { memoryFiles } from "../../harness/memory-files";

/** A workspace and the words of the command line; what nvcc is given for a file, and what is said of it. */
interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly given?: readonly string[];
  /** The workspace lies in `/repository` as `samples/one`; what else is there. */
  readonly repository?: Readonly<Record<string, string>>;
  /** `src/k.cu` when left out. */
  readonly file?: string;
  readonly words: readonly string[];
  readonly prelude?: string;
  readonly from: readonly string[];
  readonly notes?: readonly string[];
}

async function settingsOf({
  files,
  given = [],
  file = "src/k.cu",
  repository,
}: Case): Promise<BuildSettings> {
  const builds = createBuildService({
    files: memoryFiles({ [file]: "", ...files }),
    tops: [repository === undefined ? "/ws" : "/repository/samples/one"],
    ...(repository && {
      project: { folder: "/repository", workspace: "samples/one", files: memoryFiles(repository) },
    }),
    given: { words: given, folder: "/ws/src", where: "the command line" },
    findInstances: createInstanceFinder(loadGrammars),
  });
  return builds.settingsFor(file);
}

const cases: Readonly<Record<string, Case>> = {
  "nothing is stated": { files: {}, words: [], from: [] },
  "options of later stages, which change no kernel": {
    files: {
      Makefile: "%.o: %.cu\n\tnvcc -Xfatbin -compress-all -Xcudafe --diag_suppress=177 -DA=1 -c $< -o $@\n",
    },
    words: ["-DA=1"],
    from: ["Makefile:2"],
  },
  "the command line, relative to the current folder": {
    files: {},
    given: [
      "-I../lib",
      "-I/elsewhere/lib",
      "-DN=4",
      "-DEBUG",
      "--use_fast_math",
      "-arch=sm_90",
      "-std=c++20",
    ],
    words: ["-std=c++20", "-use_fast_math", "-DN=4", "-DEBUG", "-Ilib", "-I/elsewhere/lib"],
    from: ["the command line"],
    notes: ["the command line: -arch=sm_90 is left out: the target names the GPU"],
  },
  "a makefile: its variables, and the recipes for the file or for any": {
    files: {
      Makefile: `# build of the samples
ROOT := third_party
NVCC ?= nvcc
NVCCFLAGS = -O3 -std=c++20 -I$(ROOT)/include \\
            -arch=sm_90 -DTILE=16
CXXFLAGS += -I $(CUDA_PATH)/include -DNDEBUG -D"LABEL=$(shell date)" -D -DWIDTH(x)=2
LDFLAGS = -L/opt/lib -DLINKED

all: k other

%.o: src/%.cu
\t$(NVCC) $(NVCCFLAGS) --expt-relaxed-constexpr -DANY -c $< -o $@

other: src/other.cu
\tnvcc -DOTHER src/other.cu -o $@
`,
    },
    words: [
      "-std=c++20",
      "-expt-relaxed-constexpr",
      "-DTILE=16",
      "-DNDEBUG",
      "-DANY",
      "-Ithird_party/include",
    ],
    from: ["Makefile:12", "Makefile:4", "Makefile:6"],
  },
  "a makefile in another folder that names the file": {
    files: {
      "make/cpu/Makefile": "NVCC = nvcc\nDEFS = -DCPU\nall:\n\t$(NVCC) other.cu\n",
      "make/gpu/Makefile": "NVCC = nvcc\nDEFS = -DGPU\nall:\n\t$(NVCC) ../../src/k.cu $(DEFS)\n",
    },
    words: ["-DGPU"],
    from: ["make/gpu/Makefile:2"],
  },
  "branches of a makefile for other systems": {
    files: {
      Makefile: `NVCC ?= nvcc
CFLAGS = -std=c11
ifneq ($(OS), Windows_NT)
  NVCCFLAGS += -DPOSIX
  ifdef FAST
    NVCCFLAGS += -DFAST
  else
    NVCCFLAGS += -DSLOW
  endif
else
  NVCCFLAGS += -Iwindows
endif
ifeq ($(shell uname), Darwin)
  NVCCFLAGS += -DMAC
else ifeq ($(shell uname), Linux)
  NVCCFLAGS += -DLINUX
endif
`,
    },
    words: ["-DPOSIX", "-DFAST", "-DSLOW", "-DLINUX"],
    from: ["Makefile:16", "Makefile:4", "Makefile:6", "Makefile:8"],
  },
  "the makefile of another compiler": {
    files: { Makefile: "CFLAGS = -DHOST -Iinclude\nall:\n\tgcc $(CFLAGS) main.c\n" },
    words: [],
    from: [],
  },
  "an older standard than the toolkit's libraries take": {
    files: { "CMakeLists.txt": "set(CMAKE_CUDA_STANDARD 14)\n" },
    words: ["-std=c++17"],
    from: ["CMakeLists.txt:1"],
    notes: ["CMakeLists.txt:1: c++14 is taken for c++17, which the toolkit's libraries need"],
  },
  "a header that needs a later standard than nvcc's own choice": {
    files: {
      "src/k.cu": '#include "rows.h"\n',
      "src/rows.h": "#include <vector>\n// #include <span>\n#include <ranges>\n",
    },
    words: ["-std=c++20"],
    from: ["src/rows.h:3"],
  },
  "a template whose parameters have to be something": {
    files: {
      "src/k.cu":
        "// template <typename T> requires care\ntemplate <typename T>\nrequires is_number<T>\n__global__ void k(T* x);\n",
    },
    words: ["-std=c++20"],
    from: ["src/k.cu:3"],
  },
  "a concept": {
    files: { "src/k.cu": "template <class T> concept Number = is_number<T>;\n" },
    words: ["-std=c++20"],
    from: ["src/k.cu:1"],
  },
  "a lambda with parameters of its own": {
    files: { "src/k.cu": "auto each = []<typename T>(T* x) {};\n" },
    words: ["-std=c++20"],
    from: ["src/k.cu:1"],
  },
  "words that any standard has": {
    files: {
      "src/k.cu":
        "int concept_of(int a[4]) { return a[0] < 3; }\nstd::integral_constant<int, 4> four;\ntemplate <int N> struct requires_n {};\n",
    },
    words: [],
    from: [],
  },
  "kernelwright.json": {
    files: {
      "kernelwright.json": `{
        // comments are welcome
        "version": 1,
        "includeFolders": ["third_party/cutlass/include"],
        "defines": { "TILE": 32, "NAME": "\\"a b\\"", "FAST": true, "SLOW": false },
        "standard": "c++20",
        "nvccFlags": ["--expt-relaxed-constexpr", "-rdc=true", "-Xcompiler", "-fopenmp,-fplugin=evil.so"],
      }`,
    },
    words: [
      "-std=c++20",
      "-expt-relaxed-constexpr",
      "-Xcompiler=-fopenmp",
      "-DTILE=32",
      "-DFAST",
      "-USLOW",
      "-Ithird_party/cutlass/include",
    ],
    prelude: '#define NAME "a b"\n',
    from: ["kernelwright.json"],
    notes: [
      "kernelwright.json: -rdc=true is left out: a file is compiled as a whole",
      "kernelwright.json: -Xcompiler=-fplugin=evil.so is left out: it is no option of a kind that is handed on",
    ],
  },
  "the record of a build": {
    files: {
      "build/compile_commands.json": JSON.stringify([
        { directory: "/ws/build", file: "../src/other.cpp", command: "g++ -DWRONG -c ../src/other.cpp" },
        {
          directory: "/ws/build",
          file: "/ws/src/k.cu",
          command:
            'nvcc -forward-unknown-to-host-compiler -DUSE="x y" -I../include -isystem=/usr/include/eigen3 -I/home/me/lib -O3 -DNDEBUG -std=c++17 "--generate-code=arch=compute_80,code=[sm_80]" -Xcompiler=-fPIC -MD -MT k.o -MF k.o.d -x cu -c /ws/src/k.cu -o k.o',
        },
      ]),
      "CMakeLists.txt": "include_directories(ignored)",
    },
    words: ["-std=c++17", "-O3", "-Xcompiler=-fPIC", "-DNDEBUG", "-Iinclude", "-I/usr/include/eigen3"],
    prelude: "#define USE x y\n",
    from: ["build/compile_commands.json"],
    notes: [
      "build/compile_commands.json: -I/home/me/lib is left out: it lies outside of the workspace; name it in kernelwright.json or with -I if it is needed",
      "build/compile_commands.json: -gencode=arch=compute_80,code=[sm_80] is left out: the target names the GPU",
      "build/compile_commands.json: -x=cu is left out: the kernel's dialect decides how a file is read",
    ],
  },
  "the record of a build, for a header that no build compiles": {
    files: {
      "compile_commands.json": JSON.stringify([
        { directory: "/ws", file: "a/other.cu", arguments: ["nvcc", "-DOTHER", "-c", "a/other.cu"] },
        { directory: "/ws", file: "src/main.cu", arguments: ["nvcc", "-DMINE", "-c", "src/main.cu"] },
      ]),
    },
    file: "src/detail/k.cuh",
    words: ["-DMINE"],
    from: ["compile_commands.json (as for src/main.cu)"],
  },
  "CMake: a program is compiled with what the libraries that it is linked with say": {
    file: "src/demo.cu",
    files: {
      "CMakeLists.txt": `
add_library(rays src/rays.cu)
target_include_directories(rays PUBLIC include)
target_compile_definitions(rays PRIVATE TILE=16 MINE=1)
add_library(rt::rays ALIAS rays)
add_library(apart src/apart.cu)
target_compile_definitions(apart PUBLIC APART=1)
add_library(middle src/middle.cu)
target_link_libraries(middle PUBLIC rt::rays apart_of_others)
add_executable(demo src/demo.cu)
target_compile_definitions(demo PRIVATE MINE=2)
target_link_libraries(demo PRIVATE middle)`,
    },
    words: ["-DMINE=2", "-DTILE=16", "-Iinclude"],
    from: ["CMakeLists.txt:11", "CMakeLists.txt:3", "CMakeLists.txt:4"],
  },
  CMake: {
    files: {
      "CMakeLists.txt": `
        project(Attention LANGUAGES CXX CUDA)   # a comment (with brackets
        set(CMAKE_CUDA_STANDARD 17)
        set(LIBS \${PROJECT_SOURCE_DIR}/libs)
        if(WITH_FAST)
          string(APPEND CMAKE_CUDA_FLAGS " --use_fast_math -lineinfo")
        endif()
        include_directories(SYSTEM \${LIBS}/common "\${Attention_SOURCE_DIR}/my folder")
        add_compile_definitions(TOP=1)
        add_library(other STATIC src/other.cu)
        target_compile_definitions(other PRIVATE WRONG)
        add_subdirectory(src)`,
      "src/CMakeLists.txt": `
        set(SOURCES k.cu helper.cu)
        add_library(kernels \${SOURCES})
        target_include_directories(kernels PUBLIC
          $<BUILD_INTERFACE:\${CMAKE_CURRENT_SOURCE_DIR}/../include> $<INSTALL_INTERFACE:include>
          \${UNKNOWN}/include PRIVATE detail)
        target_compile_definitions(kernels PRIVATE TILE=16 $<$<CONFIG:Debug>:CHECKED>)
        target_compile_options(kernels PRIVATE
          "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xptxas=-v>" $<$<COMPILE_LANGUAGE:CXX>:-Wall>)
        set_target_properties(kernels PROPERTIES CUDA_STANDARD 20 CUDA_SEPARABLE_COMPILATION ON)`,
    },
    words: [
      "-std=c++20",
      "-use_fast_math",
      "-expt-relaxed-constexpr",
      "-DTOP=1",
      "-DTILE=16",
      "-Ilibs/common",
      "-Imy folder",
      "-Iinclude",
      "-Isrc/detail",
    ],
    from: [
      "CMakeLists.txt",
      "CMakeLists.txt:8",
      "CMakeLists.txt:9",
      "src/CMakeLists.txt:10",
      "src/CMakeLists.txt:4",
      "src/CMakeLists.txt:7",
      "src/CMakeLists.txt:8",
    ],
  },
  "folders in which included files lie": {
    files: {
      "src/k.cu":
        '#include <common/math.cuh>\n#include "tile.h"\n#include <vector>\n#include <cuda_fp16.h>\n#include "twice.h"\n',
      "include/common/math.cuh": '#include "deep.cuh"\n#include "near.h"\n',
      "include/common/near.h": "",
      "libs/a/inner/deep.cuh": "",
      "include/tile.h": "",
      "other/tile.h": "",
      "vendored/cuda_fp16.h": "",
      "x/twice.h": "",
      "y/twice.h": "",
    },
    words: ["-Iinclude", "-Ilibs/a/inner"],
    from: ["include/common/math.cuh includes deep.cuh", "src/k.cu includes common/math.cuh"],
    notes: [
      'src/k.cu includes twice.h, which lies in several folders (x, y): name one under "includeFolders" in kernelwright.json, or with -I',
    ],
  },
  "a header that needs an option": {
    files: { "src/k.cu": '#include <vector>\n#include "threads.h"\n', "src/threads.h": "#include <omp.h>\n" },
    words: ["-Xcompiler=-fopenmp"],
    from: ["src/threads.h includes omp.h"],
  },
  "what lies in the repository around the workspace": {
    files: {
      "CMakeLists.txt": "include_directories(../../common ../../../elsewhere)",
      "src/k.cu": '#include <helper.h>\n#include "shared.h"\n#include "twice.h"\n',
    },
    repository: {
      "common/helper.h": '#include "beside.h"\n',
      "common/beside.h": "",
      "samples/libs/shared.h": "",
      "libs/shared.h": "",
      "a/twice.h": "",
      "b/twice.h": "",
    },
    words: ["-I/repository/common", "-I/repository/samples/libs"],
    from: ["CMakeLists.txt:1", "src/k.cu includes shared.h"],
    notes: [
      "CMakeLists.txt:1: -I../../../elsewhere is left out: it lies outside of the workspace; name it in kernelwright.json or with -I if it is needed",
      'src/k.cu includes twice.h, which lies in several folders (/repository/a, /repository/b): name one under "includeFolders" in kernelwright.json, or with -I',
    ],
  },
  "what the user states counts before what build files say": {
    files: {
      "kernelwright.json":
        '{ "version": 1, "defines": { "N": 2, "M": 2, "J": false }, "includeFolders": ["b"] }',
      "CMakeLists.txt": "add_definitions(-DN=3 -DM=3 -DK=3 -DJ -Wall)\ninclude_directories(c b)",
    },
    given: ["-DN=1", "-Ia"],
    words: ["-DN=1", "-DM=2", "-DK=3", "-UJ", "-Isrc/a", "-Ib", "-Ic"],
    from: ["CMakeLists.txt:1", "CMakeLists.txt:2", "kernelwright.json", "the command line"],
  },
};

test.each(Object.entries(cases))("%s", async (_, each) => {
  const settings = await settingsOf(each);
  const { includeFolders, defines, flags, standard, notes } = settings;
  const parts = [...includeFolders, ...defines, ...flags, ...(standard ? [standard] : [])];
  expect({
    words: nvccWords(settings, (folder) => folder),
    prelude: buildPrelude(settings),
    from: [...new Set(parts.map(({ where }) => where))].sort(),
    notes,
  }).toEqual({ words: each.words, prelude: each.prelude ?? "", from: each.from, notes: each.notes ?? [] });
});

test.each([
  ["", "kernelwright.json:1:1: the file is empty"],
  ['{ "version": 2 }', "kernelwright.json:1:14: version: expected 1, found 2"],
  ['{ "version": 1,\n  "includes": [] }', 'kernelwright.json:1:1: there is no field "includes"'],
  [
    '{ "version": 1,\n  "includeFolders": [3] }',
    "kernelwright.json:2:22: includeFolders[0]: expected text, found 3",
  ],
  ['{ "version": 1, "standard": "17" }', 'kernelwright.json:1:29: standard: expected "c++11" or "c++14"'],
])("kernelwright.json is refused with its line: %s", async (text, message) => {
  await expect(settingsOf({ files: { "kernelwright.json": text }, words: [], from: [] })).rejects.toThrow(
    message,
  );
});
