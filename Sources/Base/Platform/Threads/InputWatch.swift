import Dispatch

/// Watches a descriptor for input, until the watch is cancelled. A closed other end counts as input.
@MainActor
package final class InputWatch {
  let descriptor: Int32
  let handle: @MainActor () -> Void
  private let end: @MainActor () -> Void
  private(set) var isActive = true
  /// The source, or `nil` if the main loop watches the descriptor.
  private var source: (any DispatchSourceRead)?

  /// - Parameters:
  ///   - descriptor: must stay open until `end`.
  ///   - handle: called repeatedly while there is input.
  ///   - end: called once, soon after `cancel`.
  package init(
    _ descriptor: Int32, handle: @escaping @MainActor () -> Void, end: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
    self.handle = handle
    self.end = end
    if MainLoop.isRunning {
      MainLoop.add(self)
    } else {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated(handle) }
      source.setCancelHandler { MainActor.assumeIsolated(end) }
      source.activate()
      self.source = source
    }
  }

  package func cancel() {
    guard isActive else { return }
    isActive = false
    if let source { source.cancel() } else { MainLoop.remove(self, then: end) }
  }
}
