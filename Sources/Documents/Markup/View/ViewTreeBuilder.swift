import Basics
import Formats

/// Builds a `ViewTree` from the parser's events.
final class ViewTreeBuilder: HTMLSink {
  private var nodes: [ViewTree.Node] = []
  private var text: [UInt8] = []
  private var depth = 0
  /// Whether the rest was left out because of too many nested elements.
  private(set) var isTooDeep = false
  var isFull: Bool { isTooDeep }

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    guard !isTooDeep else { return }
    guard depth < Limits.openElements else {
      isTooDeep = true
      return
    }
    endText()
    depth += 1
    nodes.append(.open(ViewTree.Element(name: String(cString: name), attributes: attributes.list)))
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isTooDeep else { return }
    text.append(contentsOf: bytes)
  }

  func endElement(_ name: UnsafePointer<UInt8>) {
    guard !isTooDeep, depth > 0 else { return }
    endText()
    depth -= 1
    nodes.append(.close)
  }

  /// Returns the nodes; open elements are closed.
  func finished() -> [ViewTree.Node] {
    endText()
    nodes += Array(repeating: .close, count: depth)
    depth = 0
    return nodes
  }

  private func endText() {
    guard !text.isEmpty else { return }
    nodes.append(.text(String(decoding: text, as: UTF8.self)))
    text.removeAll(keepingCapacity: true)
  }
}
