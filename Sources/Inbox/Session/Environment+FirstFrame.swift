import Basics
import Foundation
package import Platform
import Words

extension Environment {
  /// Prepares values that are made once per process and take a while: words, keys, the rules of the zone.
  package func prepareFirstFrame() {
    _ = Words.inLanguage(language)
    _ = Keymap.standard
    _ = WallTime(now(), in: clock())
  }
}
