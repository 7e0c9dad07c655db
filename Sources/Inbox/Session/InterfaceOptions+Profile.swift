package import Interface
import Platform
package import Screen
import Settings
import Translations
package import Workspace

extension InterfaceOptions {
  /// What the settings make of the interface on a screen.
  ///
  /// - Parameter notice: always shown at the bottom.
  @MainActor
  package init(_ workspace: Workspace, screen: any InboxScreen, notice: SafeText?) {
    self.init(workspace, isUTF8: screen.isUTF8, hasWideSigns: screen.hasWideSigns)
    let settings = workspace.settings
    animations = settings.animations && !settings.hasScreenReader && screen.allowsMotion
    // Half blocks are signs like others: with two columns each, they are no picture.
    let hasPictures = screen.pictureColors != nil && (!signs.isASCII || screen.graphicFormat != nil)
    showsPictures = hasPictures && settings.drawsPictures
    hasColors = screen.hasColors
    self.notice = notice
  }

  /// The same for what is printed as the interface shows it.
  ///
  /// - Parameters:
  ///   - isUTF8: false for a terminal that can show ASCII only.
  ///   - hasWideSigns: whether it is known to draw signs of ambiguous width with two columns.
  package init(_ workspace: Workspace, isUTF8: Bool, hasWideSigns: Bool = false) {
    let settings = workspace.settings
    // A terminal without UTF-8 cannot show other scripts.
    let words = isUTF8 ? workspace.words : .inLanguage("en")
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
      keymap: settings.keymap.keymap, zone: workspace.environment.clock(), animations: false,
      theme: settings.theme, layout: layout)
  }
}
