import Limits

extension Limits {
  /// A picture as half blocks: 500 columns and 200 rows of two colours each, 40 bytes a cell.
  static let pictureOutputBytes = 4 << 20
  /// Time to decode and draw a picture. Its limit of 2 s of processor time may take ten times as long on a
  /// busy machine.
  static let pictureTime = Duration.seconds(20)

  /// Bytes of a picture: those of a large photograph.
  static let pictureBytes = 16 << 20
  /// Pixels of a picture that is decoded: 24 million is a large photograph.
  static let picturePixels = 24_000_000
  /// Pictures whose bytes are kept to be drawn again after a resize: those of a message, and of a banner's view.
  static let pictures = 30
  /// Bytes of all of them.
  static let keptPictureBytes = 64 << 20
  /// Pixels of a picture that a terminal is sent: 512 thousand, more than the cells of a large window need.
  static let graphicPixels = 1 << 19
  /// Pixels of one side of it.
  static let graphicSide = 4096
  /// Bytes of a program's answer with such a picture: 4 bytes a pixel in Base64, in pieces.
  static let graphicAnswerBytes = 4 << 20
  /// Pixels of a picture as sixel, which has to fill its cells: 2 million are a large window with large letters.
  static let sixelPixels = 2 << 20
  /// Bytes of a picture as sixel, which is written again whenever its rows are.
  static let sixelBytes = 1 << 20
  /// Segments of a JPEG before its size; files with a large profile or preview have some hundreds.
  static let pictureSegments = 4000
}
