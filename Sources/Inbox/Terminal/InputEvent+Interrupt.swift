import Glibc
import Screen

extension InputEvent {
  /// The signal that the terminal's driver makes of the key. If an earlier program left a keyboard protocol on, the
  /// terminal reports the key instead, which the driver does not know.
  var interrupt: Int32? {
    switch self {
    case .key(KeyPress("c", .control)): SIGINT
    case .key(KeyPress("\\", .control)): SIGQUIT
    case .key, .mouse, .paste, .focus, .resize: nil
    }
  }
}
