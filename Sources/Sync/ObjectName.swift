/// What an object is called at every place: the machine whose acts it holds, and which of them.
package struct ObjectName: Hashable, Sendable {
  package var device: DeviceID
  /// The numbers of its first and its last act; both are 0 in the marker alone.
  package var seqs: ClosedRange<Int64>

  package init(device: DeviceID, seqs: ClosedRange<Int64>) {
    (self.device, self.seqs) = (device, seqs)
  }

  /// The object that says that a place is one; it has no acts.
  package static let marker = ObjectName(device: .marker, seqs: 0...0)
}
