package import Platform
package import Transport

extension Environment {
  /// What requests need to know of the process: its version, its clock, the proxies of its environment.
  package var transportOptions: LiveTransport.Options {
    var options = LiveTransport.Options(version: version, now: now)
    options.proxies = ProxySettings(environment: variables)
    return options
  }
}
