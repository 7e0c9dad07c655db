package import HTTP
package import Platform
package import Settings

extension Environment {
  /// Returns the values that requests need from the process and the settings: version, clock, proxies, authorities.
  package func transportOptions(_ settings: Settings) -> LiveTransport.Options {
    var options = LiveTransport.Options(version: version, now: now)
    options.trust = SystemTrust(environment: variables)
    options.proxies = ProxySettings(
      proxy: settings.proxy, exceptions: settings.proxyExceptions, environment: variables)
    return options
  }

  /// Returns the settings, for commands without a profile.
  ///
  /// - Parameter config: a path that overrides the XDG path.
  /// - Throws: as `SettingsFile.load`.
  package func settings(config: String?) throws -> Settings {
    try SettingsFile(path: config ?? directories.settingsFile, home: home).load()
  }
}
