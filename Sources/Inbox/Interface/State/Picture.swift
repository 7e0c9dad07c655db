package import Messages
package import Screen
import Words

/// A picture that is to be fetched and drawn.
package struct PictureRequest: Hashable, Sendable {
  /// http or https; or ``PictureData``.
  package var address: String
  /// The most that it may take on the screen; its proportions are kept.
  package var columns: Int
  package var rows: Int
  /// Whether it is one of the pictures in a text, or came with its message. Such a picture isn't enlarged: a cell stands
  /// for 8 by 16 pixels. It isn't fetched if it cannot be drawn, since its description is enough.
  package var isInText: Bool

  package init(address: String, columns: Int, rows: Int, isInText: Bool = false) {
    self.address = address
    self.columns = columns
    self.rows = rows
    self.isInText = isInText
  }
}

/// The result of a request.
package enum PictureAnswer: Hashable, Sendable {
  /// As `drawn`, in half blocks; the same lines with the picture in pixels follow.
  case draft([StyledText])
  /// No line is wider than requested. Empty where there is nothing to see: one that only counts readers.
  case drawn([StyledText])
  case failed(PictureFailure)
}

extension PictureAnswer {
  /// nil where it could not be drawn.
  var lines: [StyledText]? {
    switch self {
    case .draft(let lines), .drawn(let lines): lines
    case .failed: nil
    }
  }
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
    if let request, request.address != wanted.address { answer = nil }
    request = wanted
    return wanted
  }

  /// The last request was cancelled: it may be sent again.
  mutating func forgetRequest() { request = nil }

  /// - Returns: whether it is the answer to the last request; the screen may have changed since an older one.
  mutating func apply(_ answer: PictureAnswer, for answered: PictureRequest) -> Bool {
    guard answered == request else { return false }
    self.answer = answer
    return true
  }

  /// Whether it has been asked for, and hasn't come.
  var isAwaited: Bool { request != nil && answer == nil }

  /// Why it will not come.
  var failure: PictureFailure? {
    if case .failed(let failure)? = answer { failure } else { nil }
  }

  /// The picture, if it has arrived and fits.
  func drawn(columns: Int) -> [StyledText]? {
    guard let lines = answer?.lines, lines.allSatisfy({ $0.columns <= columns }) else { return nil }
    return lines
  }

  /// The lines shown for it at a width.
  func lines(columns: Int, words: Words) -> [StyledText] {
    switch answer {
    case nil: return request == nil ? [] : [StyledText(words(.pictureLoading), style: Palette.quiet)]
    case .draft(let lines), .drawn(let lines): return lines.allSatisfy { $0.columns <= columns } ? lines : []
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
