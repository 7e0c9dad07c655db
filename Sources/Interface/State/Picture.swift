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

/// The result of a request.
package enum PictureAnswer: Hashable, Sendable {
  /// No line is wider than requested.
  case drawn([StyledText])
  case failed(PictureFailure)
}

/// Why there isn't a picture; its alternative text and its link are shown instead.
package enum PictureFailure: Hashable, Sendable {
  case fetch(FetchFailure)
  /// Its bytes aren't an image of a supported format.
  case unknownFormat
  case tooLarge
  /// The program that decodes pictures is not installed.
  case noDecoder
  case undecodable
}

/// One picture in a text.
struct PictureSlot: Hashable, Sendable {
  private(set) var request: PictureRequest?
  private(set) var answer: PictureAnswer?

  /// - Returns: the request, if it was not sent already.
  mutating func want(_ wanted: PictureRequest) -> PictureRequest? {
    guard request != wanted else { return nil }
    if request?.address != wanted.address { answer = nil }
    request = wanted
    return wanted
  }

  /// - Returns: whether it is the answer to the last request; the screen may have changed since an older one.
  mutating func take(_ answer: PictureAnswer, for answered: PictureRequest) -> Bool {
    guard answered == request else { return false }
    self.answer = answer
    return true
  }

  /// The picture, if it has arrived and fits.
  func drawn(columns: Int) -> [StyledText]? {
    guard case .drawn(let lines)? = answer, lines.allSatisfy({ $0.columns <= columns }) else { return nil }
    return lines
  }

  /// The lines shown for it at a width.
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
