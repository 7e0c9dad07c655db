extension Query {
  /// The conditions that compare a field with a whole name, without those with stars.
  package var literalNames: [(field: NameField, name: Glob)] {
    switch self {
    case .and(let members), .or(let members): members.flatMap(\.literalNames)
    case .not(let query): query.literalNames
    case .test(.name(let field, let patterns)):
      patterns.compactMap { pattern in
        if case .glob(let glob) = pattern, glob.literal != nil { (field, glob) } else { nil }
      }
    case .test: []
    }
  }
}
