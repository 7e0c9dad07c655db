package import Interface
import Platform
package import Profile
package import Screen
import Settings
import Words

extension InterfaceOptions {
  /// Creates the options of the interface from the settings and a screen.
  ///
  /// - Parameter notice: always shown at the bottom.
  @MainActor
  package init(_ profile: Profile, screen: any InboxScreen, notice: SafeText?) {
    self.init(profile, isUTF8: screen.isUTF8, hasWideSigns: screen.hasWideSigns)
    let settings = profile.settings
    animations = settings.animations && !settings.hasScreenReader && screen.allowsMotion
    // Half blocks are symbols like others: with two columns each, they are no picture.
    let hasPictures = screen.pictureColors != nil && (!signs.isASCII || screen.graphicFormat != nil)
    showsPictures = hasPictures && settings.drawsPictures
    colors = screen.colors
    background = screen.background
    self.notice = notice
  }

  /// Creates the options for output that looks like the interface.
  ///
  /// - Parameters:
  ///   - isUTF8: `false` for a terminal that can show ASCII only.
  ///   - hasWideSigns: whether it is known to draw symbols of ambiguous width with two columns.
  package init(_ profile: Profile, isUTF8: Bool, hasWideSigns: Bool = false) {
    let settings = profile.settings
    // A terminal without UTF-8 cannot show other scripts.
    let words = isUTF8 ? profile.words : .inLanguage("en")
    let isASCII =
      switch settings.signs {
      case .auto: !isUTF8 || hasWideSigns
      case .narrow: !isUTF8
      case .ascii: true
      }
    var layout = settings.layout
    for source in settings.sources { layout.shortNames[source.name] = source.short }
    self.init(
      words: words, signs: .fitting(isASCII: isASCII, areWords: settings.hasScreenReader, words: words),
      keymap: settings.keymap.keymap, zone: profile.environment.clock(), animations: false,
      theme: settings.theme, layout: layout)
  }
}
