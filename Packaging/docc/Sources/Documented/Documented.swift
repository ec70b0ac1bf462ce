// Only so that the package has a target: the documentation is that of the products it depends on.
