import Basics
import Foundation
package import Platform
import Words

extension Environment {
  /// Makes what is made once for the process and takes a while: words, keys, the rules of the zone.
  package func prepareFirstFrame() {
    _ = Words.inLanguage(language)
    _ = Keymap.standard
    _ = WallTime(now(), in: clock())
  }
}
