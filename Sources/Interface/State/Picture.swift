package import Messages
package import Screen

/// A picture that is to be fetched and drawn.
package struct PictureRequest: Hashable, Sendable {
  /// http or https.
  package var address: String
  /// The most that it may take on the screen; its proportions are kept.
  package var columns: Int
  package var rows: Int

  package init(address: String, columns: Int, rows: Int) {
    self.address = address
    self.columns = columns
    self.rows = rows
  }
}

/// What came of it.
package enum PictureAnswer: Hashable, Sendable {
  /// No line is wider than was asked for.
  case drawn([StyledText])
  case failed(PictureFailure)
}

/// Why there is no picture; its alternative text and its link stand instead.
package enum PictureFailure: Hashable, Sendable {
  case fetch(FetchFailure)
  /// Its bytes are not an image of a kind that is drawn.
  case unknownFormat
  case tooLarge
  /// The program that decodes pictures is not there.
  case noDecoder
  case undecodable
}

/// The place of one picture in a text.
struct PictureSlot: Hashable, Sendable {
  private(set) var request: PictureRequest?
  private(set) var answer: PictureAnswer?

  /// - Returns: what to ask for, if it was not asked for already.
  mutating func want(_ wanted: PictureRequest) -> PictureRequest? {
    guard request != wanted else { return nil }
    if request?.address != wanted.address { answer = nil }
    request = wanted
    return wanted
  }

  /// - Returns: whether it belongs here; the screen may have changed since it was asked for.
  mutating func take(_ answer: PictureAnswer, for answered: PictureRequest) -> Bool {
    guard answered == request else { return false }
    self.answer = answer
    return true
  }

  /// The picture itself, where it is here and fits.
  func drawn(columns: Int) -> [StyledText]? {
    guard case .drawn(let lines)? = answer, lines.allSatisfy({ $0.columns <= columns }) else { return nil }
    return lines
  }

  /// What stands in its place at a width.
  func lines(columns: Int, words: Words) -> [StyledText] {
    switch answer {
    case nil: return request == nil ? [] : [StyledText(words(.pictureLoading), style: Palette.quiet)]
    case .drawn(let lines): return lines.allSatisfy { $0.columns <= columns } ? lines : []
    case .failed(let failure):
      return StyledText(words.sentence(failure), style: Palette.quiet).wrapped(to: columns)
    }
  }
}

extension Words {
  func sentence(_ failure: PictureFailure) -> SafeText {
    switch failure {
    case .fetch(let failure): self(.pictureFailed, sentence(failure))
    case .unknownFormat: self(.pictureFailed, self(.pictureUnknownFormat))
    case .tooLarge: self(.pictureFailed, self(.pictureTooLarge))
    case .noDecoder: self(.pictureFailed, self(.pictureNoDecoder))
    case .undecodable: self(.pictureFailed, self(.pictureUndecodable))
    }
  }
}
