/// A field that a script may omit when it pushes a message again; then the old value is kept.
package enum UnsaidField: Hashable, Sendable, CaseIterable {
  case url, priority, tags, group
}
