package import Messages
package import Screen
import Words

/// A picture that is to be fetched and drawn.
package struct PictureRequest: Hashable, Sendable {
  /// The URL, http or https; or ``PictureData``.
  package var address: String
  /// The maximum size on the screen; the proportions are kept.
  package var columns: Int
  package var rows: Int
  /// Whether the picture is in the text, or attached to its message. Such a picture isn't enlarged (a terminal cell
  /// counts as 8 by 16 pixels), and isn't fetched if it cannot be drawn, since its description is enough.
  package var isInText: Bool

  package init(address: String, columns: Int, rows: Int, isInText: Bool = false) {
    self.address = address
    self.columns = columns
    self.rows = rows
    self.isInText = isInText
  }
}

/// The response to the request for a picture.
package enum PictureAnswer: Hashable, Sendable {
  /// A draft of the picture in half-block characters. `drawn` follows, with as many lines, and the picture in pixels.
  case draft([StyledText])
  /// The lines of the picture, none wider than requested. Empty if there is nothing to see, as for a picture that only
  /// counts readers.
  case drawn([StyledText])
  case failed(PictureFailure)
}

extension PictureAnswer {
  /// The lines, or `nil` if the picture could not be drawn.
  var lines: [StyledText]? {
    switch self {
    case .draft(let lines), .drawn(let lines): lines
    case .failed: nil
    }
  }
}

/// The reason why there isn't a picture. Its alternative text and its link are shown instead.
package enum PictureFailure: Hashable, Sendable {
  case fetch(FetchFailure)
  /// The bytes aren't an image of a supported format.
  case unknownFormat
  case tooLarge
  /// The program that decodes pictures is not installed.
  case noDecoder
  case undecodable
}

/// The state of one picture: its last request, and the response.
struct PictureSlot: Hashable, Sendable {
  private(set) var request: PictureRequest?
  private(set) var answer: PictureAnswer?

  /// Stores the request that is wanted now.
  ///
  /// - Returns: the request, if it was not already sent.
  mutating func want(_ wanted: PictureRequest) -> PictureRequest? {
    guard request != wanted else { return nil }
    if let request, request.address != wanted.address { answer = nil }
    request = wanted
    return wanted
  }

  /// Forgets the last request, which was cancelled, so that it may be sent again.
  mutating func forgetRequest() { request = nil }

  /// Stores the response to a request.
  ///
  /// - Returns: whether this is the response to the last request; the screen may have changed since an older one.
  mutating func apply(_ answer: PictureAnswer, for answered: PictureRequest) -> Bool {
    guard answered == request else { return false }
    self.answer = answer
    return true
  }

  /// Whether the picture was requested, but hasn't arrived.
  var isAwaited: Bool { request != nil && answer == nil }

  /// The reason why the picture could not be drawn.
  var failure: PictureFailure? {
    if case .failed(let failure)? = answer { failure } else { nil }
  }

  /// Returns the lines of the picture, or `nil` if it has not arrived or is wider than `columns`.
  func drawn(columns: Int) -> [StyledText]? {
    guard let lines = answer?.lines, lines.allSatisfy({ $0.columns <= columns }) else { return nil }
    return lines
  }

  /// Returns the lines shown for the picture at a width.
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
