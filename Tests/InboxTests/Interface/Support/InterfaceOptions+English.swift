import Basics
import Foundation
import Interface
import Screen
import Words

extension InterfaceOptions {
  /// Creates English options, for tests that do not depend on languages.
  init(
    signs: Signs = .unicode, keymap: Keymap = .standard, zone: ZoneClock, animations: Bool = true,
    showsPictures: Bool = false, notice: SafeText? = nil
  ) {
    self.init(
      words: .english, signs: signs, keymap: keymap, zone: zone, animations: animations,
      showsPictures: showsPictures, notice: notice)
  }
}
