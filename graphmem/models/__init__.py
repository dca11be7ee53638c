"""What the system speaks of: frozen values without IO."""
