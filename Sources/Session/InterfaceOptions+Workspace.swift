package import Interface
import Platform
package import Screen
import Settings
import Translations
package import Workspace

extension InterfaceOptions {
  /// What the settings make of the interface on a terminal.
  ///
  /// - Parameters:
  ///   - isUTF8: false for a terminal that can show ASCII only.
  ///   - hasMotion: whether the terminal is fast enough for animations, and whoever uses it wants them.
  ///   - hasPictures: whether the terminal has the colours that pictures need.
  ///   - hasColors: whether the terminal has any colours, and whoever uses it wants them.
  ///   - notice: always shown at the bottom.
  package init(
    _ workspace: Workspace, isUTF8: Bool, hasMotion: Bool = false, hasPictures: Bool = false,
    hasColors: Bool = true,
    notice: SafeText? = nil
  ) {
    let settings = workspace.settings
    // A terminal without UTF-8 cannot show other scripts.
    let words = isUTF8 ? workspace.words : .inLanguage("en")
    var layout = settings.layout
    for source in settings.sources { layout.shortNames[source.name] = source.short }
    self.init(
      words: words, signs: .fitting(isASCII: !isUTF8, areWords: settings.hasScreenReader, words: words),
      keymap: settings.keymap.keymap, zone: workspace.environment.clock(),
      animations: settings.animations && !settings.hasScreenReader && hasMotion,
      showsPictures: hasPictures && settings.drawsPictures, theme: settings.theme, hasColors: hasColors,
      layout: layout, notice: notice)
  }
}
