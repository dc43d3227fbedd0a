"""Amazon Web Services: tables of services, and the client that asks through boto3."""
