// Names every function of the CUDA 13.0 runtime, so that it links only when each is there.
#include <cstdio>

#define FUNCTIONS(X) \
  X(cudaArrayGetInfo) X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) X(cudaArrayGetSparseProperties) X(cudaChooseDevice) \
  X(cudaCreateChannelDesc) X(cudaCreateSurfaceObject) X(cudaCreateTextureObject) X(cudaCtxResetPersistingL2Cache) X(cudaDestroyExternalMemory) \
  X(cudaDestroyExternalSemaphore) X(cudaDestroySurfaceObject) X(cudaDestroyTextureObject) X(cudaDeviceCanAccessPeer) X(cudaDeviceDisablePeerAccess) \
  X(cudaDeviceEnablePeerAccess) X(cudaDeviceFlushGPUDirectRDMAWrites) X(cudaDeviceGetAttribute) X(cudaDeviceGetByPCIBusId) X(cudaDeviceGetCacheConfig) \
  X(cudaDeviceGetDefaultMemPool) X(cudaDeviceGetGraphMemAttribute) X(cudaDeviceGetHostAtomicCapabilities) X(cudaDeviceGetLimit) \
  X(cudaDeviceGetMemPool) X(cudaDeviceGetNvSciSyncAttributes) X(cudaDeviceGetP2PAtomicCapabilities) X(cudaDeviceGetP2PAttribute) \
  X(cudaDeviceGetPCIBusId) X(cudaDeviceGetSharedMemConfig) X(cudaDeviceGetStreamPriorityRange) X(cudaDeviceGetTexture1DLinearMaxWidth) \
  X(cudaDeviceGraphMemTrim) X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceReset) X(cudaDeviceSetCacheConfig) X(cudaDeviceSetGraphMemAttribute) \
  X(cudaDeviceSetLimit) X(cudaDeviceSetMemPool) X(cudaDeviceSetSharedMemConfig) X(cudaDeviceSynchronize) X(cudaDeviceUnregisterAsyncNotification) \
  X(cudaDriverGetVersion) X(cudaEventCreate) X(cudaEventCreateWithFlags) X(cudaEventDestroy) X(cudaEventElapsedTime) X(cudaEventQuery) \
  X(cudaEventRecord) X(cudaEventRecordWithFlags) X(cudaEventSynchronize) X(cudaExternalMemoryGetMappedBuffer) \
  X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaFree) X(cudaFreeArray) X(cudaFreeAsync) X(cudaFreeHost) X(cudaFreeMipmappedArray) \
  X(cudaFuncGetAttributes) X(cudaFuncGetName) X(cudaFuncGetParamInfo) X(cudaFuncSetAttribute) X(cudaFuncSetCacheConfig) X(cudaFuncSetSharedMemConfig) \
  X(cudaGetChannelDesc) X(cudaGetDevice) X(cudaGetDeviceCount) X(cudaGetDeviceFlags) X(cudaGetDeviceProperties) X(cudaGetDriverEntryPoint) \
  X(cudaGetDriverEntryPointByVersion) X(cudaGetErrorName) X(cudaGetErrorString) X(cudaGetExportTable) X(cudaGetFuncBySymbol) X(cudaGetKernel) \
  X(cudaGetLastError) X(cudaGetMipmappedArrayLevel) X(cudaGetSurfaceObjectResourceDesc) X(cudaGetSymbolAddress) X(cudaGetSymbolSize) \
  X(cudaGetTextureObjectResourceDesc) X(cudaGetTextureObjectResourceViewDesc) X(cudaGetTextureObjectTextureDesc) X(cudaGraphAddChildGraphNode) \
  X(cudaGraphAddDependencies) X(cudaGraphAddEmptyNode) X(cudaGraphAddEventRecordNode) X(cudaGraphAddEventWaitNode) \
  X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode) X(cudaGraphAddHostNode) X(cudaGraphAddKernelNode) \
  X(cudaGraphAddMemAllocNode) X(cudaGraphAddMemFreeNode) X(cudaGraphAddMemcpyNode) X(cudaGraphAddMemcpyNode1D) X(cudaGraphAddMemcpyNodeFromSymbol) \
  X(cudaGraphAddMemcpyNodeToSymbol) X(cudaGraphAddMemsetNode) X(cudaGraphAddNode) X(cudaGraphChildGraphNodeGetGraph) X(cudaGraphClone) \
  X(cudaGraphConditionalHandleCreate) X(cudaGraphCreate) X(cudaGraphDebugDotPrint) X(cudaGraphDestroy) X(cudaGraphDestroyNode) \
  X(cudaGraphEventRecordNodeGetEvent) X(cudaGraphEventRecordNodeSetEvent) X(cudaGraphEventWaitNodeGetEvent) X(cudaGraphEventWaitNodeSetEvent) \
  X(cudaGraphExecChildGraphNodeSetParams) X(cudaGraphExecDestroy) X(cudaGraphExecEventRecordNodeSetEvent) X(cudaGraphExecEventWaitNodeSetEvent) \
  X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) X(cudaGraphExecGetFlags) \
  X(cudaGraphExecHostNodeSetParams) X(cudaGraphExecKernelNodeSetParams) X(cudaGraphExecMemcpyNodeSetParams) X(cudaGraphExecMemcpyNodeSetParams1D) \
  X(cudaGraphExecMemcpyNodeSetParamsFromSymbol) X(cudaGraphExecMemcpyNodeSetParamsToSymbol) X(cudaGraphExecMemsetNodeSetParams) \
  X(cudaGraphExecNodeSetParams) X(cudaGraphExecUpdate) X(cudaGraphExternalSemaphoresSignalNodeGetParams) \
  X(cudaGraphExternalSemaphoresSignalNodeSetParams) X(cudaGraphExternalSemaphoresWaitNodeGetParams) X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
  X(cudaGraphGetEdges) X(cudaGraphGetNodes) X(cudaGraphGetRootNodes) X(cudaGraphHostNodeGetParams) X(cudaGraphHostNodeSetParams) \
  X(cudaGraphInstantiate) X(cudaGraphInstantiateWithFlags) X(cudaGraphInstantiateWithParams) X(cudaGraphKernelNodeCopyAttributes) \
  X(cudaGraphKernelNodeGetAttribute) X(cudaGraphKernelNodeGetParams) X(cudaGraphKernelNodeSetAttribute) X(cudaGraphKernelNodeSetParams) \
  X(cudaGraphLaunch) X(cudaGraphMemAllocNodeGetParams) X(cudaGraphMemFreeNodeGetParams) X(cudaGraphMemcpyNodeGetParams) \
  X(cudaGraphMemcpyNodeSetParams) X(cudaGraphMemcpyNodeSetParams1D) X(cudaGraphMemcpyNodeSetParamsFromSymbol) X(cudaGraphMemcpyNodeSetParamsToSymbol) \
  X(cudaGraphMemsetNodeGetParams) X(cudaGraphMemsetNodeSetParams) X(cudaGraphNodeFindInClone) X(cudaGraphNodeGetDependencies) \
  X(cudaGraphNodeGetDependentNodes) X(cudaGraphNodeGetEnabled) X(cudaGraphNodeGetType) X(cudaGraphNodeSetEnabled) X(cudaGraphNodeSetParams) \
  X(cudaGraphReleaseUserObject) X(cudaGraphRemoveDependencies) X(cudaGraphRetainUserObject) X(cudaGraphUpload) X(cudaGraphicsMapResources) \
  X(cudaGraphicsResourceGetMappedMipmappedArray) X(cudaGraphicsResourceGetMappedPointer) X(cudaGraphicsResourceSetMapFlags) \
  X(cudaGraphicsSubResourceGetMappedArray) X(cudaGraphicsUnmapResources) X(cudaGraphicsUnregisterResource) X(cudaHostAlloc) \
  X(cudaHostGetDevicePointer) X(cudaHostGetFlags) X(cudaHostRegister) X(cudaHostUnregister) X(cudaImportExternalMemory) X(cudaImportExternalSemaphore) \
  X(cudaInitDevice) X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle) X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) X(cudaIpcOpenMemHandle) \
  X(cudaKernelSetAttributeForDevice) X(cudaLaunchCooperativeKernel) X(cudaLaunchHostFunc) X(cudaLaunchKernel) X(cudaLaunchKernelExC) \
  X(cudaLibraryEnumerateKernels) X(cudaLibraryGetGlobal) X(cudaLibraryGetKernel) X(cudaLibraryGetKernelCount) X(cudaLibraryGetManaged) \
  X(cudaLibraryGetUnifiedFunction) X(cudaLibraryLoadData) X(cudaLibraryLoadFromFile) X(cudaLibraryUnload) X(cudaLogsCurrent) X(cudaLogsDumpToFile) \
  X(cudaLogsDumpToMemory) X(cudaLogsRegisterCallback) X(cudaLogsUnregisterCallback) X(cudaMalloc) X(cudaMalloc3D) X(cudaMalloc3DArray) \
  X(cudaMallocArray) X(cudaMallocAsync) X(cudaMallocFromPoolAsync) X(cudaMallocHost) X(cudaMallocManaged) X(cudaMallocMipmappedArray) \
  X(cudaMallocPitch) X(cudaMemAdvise) X(cudaMemDiscardAndPrefetchBatchAsync) X(cudaMemDiscardBatchAsync) X(cudaMemGetDefaultMemPool) X(cudaMemGetInfo) \
  X(cudaMemGetMemPool) X(cudaMemPoolCreate) X(cudaMemPoolDestroy) X(cudaMemPoolExportPointer) X(cudaMemPoolExportToShareableHandle) \
  X(cudaMemPoolGetAccess) X(cudaMemPoolGetAttribute) X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) X(cudaMemPoolSetAccess) \
  X(cudaMemPoolSetAttribute) X(cudaMemPoolTrimTo) X(cudaMemPrefetchAsync) X(cudaMemPrefetchBatchAsync) X(cudaMemRangeGetAttribute) \
  X(cudaMemRangeGetAttributes) X(cudaMemSetMemPool) X(cudaMemcpy) X(cudaMemcpy2D) X(cudaMemcpy2DArrayToArray) X(cudaMemcpy2DAsync) \
  X(cudaMemcpy2DFromArray) X(cudaMemcpy2DFromArrayAsync) X(cudaMemcpy2DToArray) X(cudaMemcpy2DToArrayAsync) X(cudaMemcpy3D) X(cudaMemcpy3DAsync) \
  X(cudaMemcpy3DBatchAsync) X(cudaMemcpy3DPeer) X(cudaMemcpy3DPeerAsync) X(cudaMemcpyArrayToArray) X(cudaMemcpyAsync) X(cudaMemcpyBatchAsync) \
  X(cudaMemcpyFromArray) X(cudaMemcpyFromArrayAsync) X(cudaMemcpyFromSymbol) X(cudaMemcpyFromSymbolAsync) X(cudaMemcpyPeer) X(cudaMemcpyPeerAsync) \
  X(cudaMemcpyToArray) X(cudaMemcpyToArrayAsync) X(cudaMemcpyToSymbol) X(cudaMemcpyToSymbolAsync) X(cudaMemset) X(cudaMemset2D) X(cudaMemset2DAsync) \
  X(cudaMemset3D) X(cudaMemset3DAsync) X(cudaMemsetAsync) X(cudaMipmappedArrayGetMemoryRequirements) X(cudaMipmappedArrayGetSparseProperties) \
  X(cudaOccupancyAvailableDynamicSMemPerBlock) X(cudaOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) X(cudaOccupancyMaxActiveClusters) X(cudaOccupancyMaxPotentialClusterSize) \
  X(cudaPeekAtLastError) X(cudaPointerGetAttributes) X(cudaProfilerStart) X(cudaProfilerStop) X(cudaRuntimeGetVersion) X(cudaSetDevice) \
  X(cudaSetDeviceFlags) X(cudaSetValidDevices) X(cudaSignalExternalSemaphoresAsync) X(cudaStreamAddCallback) X(cudaStreamAttachMemAsync) \
  X(cudaStreamBeginCapture) X(cudaStreamBeginCaptureToGraph) X(cudaStreamCopyAttributes) X(cudaStreamCreate) X(cudaStreamCreateWithFlags) \
  X(cudaStreamCreateWithPriority) X(cudaStreamDestroy) X(cudaStreamEndCapture) X(cudaStreamGetAttribute) X(cudaStreamGetCaptureInfo) \
  X(cudaStreamGetDevice) X(cudaStreamGetFlags) X(cudaStreamGetId) X(cudaStreamGetPriority) X(cudaStreamIsCapturing) X(cudaStreamQuery) \
  X(cudaStreamSetAttribute) X(cudaStreamSynchronize) X(cudaStreamUpdateCaptureDependencies) X(cudaStreamWaitEvent) \
  X(cudaThreadExchangeStreamCaptureMode) X(cudaUserObjectCreate) X(cudaUserObjectRelease) X(cudaUserObjectRetain) X(cudaWaitExternalSemaphoresAsync)

// Labels, because many of the names are overloaded in C++.
#define DECLARE(name) extern "C" char address_of_##name[] __asm__(#name);
FUNCTIONS(DECLARE)

#define ADDRESS(name) address_of_##name,
const char *addresses[] = {FUNCTIONS(ADDRESS)};

int main() {
  int there = 0;
  for (const char *address : addresses) there += address != nullptr;
  std::printf("%d functions\n", there);
  return 0;
}
