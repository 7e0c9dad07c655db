/// What a script may leave unsaid when it pushes a message again: it then stays what it was.
package enum UnsaidField: Hashable, Sendable, CaseIterable {
  case url, priority, tags
}
