import Basics
import Foundation
import Interface
package import Platform
import Translations

extension Environment {
  /// Makes what is made once for the process and takes a while: words, keys, the rules of the zone.
  package func prepareFirstFrame() {
    _ = Words.inLanguage(language)
    _ = Keymap.standard
    _ = WallTime(now(), in: clock())
  }
}
