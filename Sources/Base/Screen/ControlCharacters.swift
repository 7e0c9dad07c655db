extension Unicode.Scalar {
  /// Whether the scalar is a C0 or C1 control character or DEL (general category Cc). It is never part of text, and a
  /// terminal may act on it.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
