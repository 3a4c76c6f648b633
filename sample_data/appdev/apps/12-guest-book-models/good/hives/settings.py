from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
SECRET_KEY = "only-for-this-machine"
DEBUG = False
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["book"]
MIDDLEWARE = ["django.middleware.csrf.CsrfViewMiddleware"]
ROOT_URLCONF = "hives.urls"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "book.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
