// A project of Django with the forum of django-machina: settings, URLs, and a script that fills its database.

export const forumSettings = `
import os
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR
folder = os.path.dirname(os.path.abspath(__file__))
SECRET_KEY = 'bench'
ALLOWED_HOSTS = ['*']
ROOT_URLCONF = 'urls'
USE_TZ = True
DEFAULT_AUTO_FIELD = 'django.db.models.AutoField'
INSTALLED_APPS = ['django.contrib.' + name for name in ['contenttypes', 'auth', 'sessions', 'messages', 'staticfiles']] + [
    'mptt', 'haystack', 'widget_tweaks', 'machina'] + ['machina.apps.' + name for name in [
    'forum', 'forum_conversation', 'forum_conversation.forum_attachments', 'forum_conversation.forum_polls', 'forum_feeds',
    'forum_moderation', 'forum_search', 'forum_tracking', 'forum_member', 'forum_permission']]
MIDDLEWARE = ['django.contrib.sessions.middleware.SessionMiddleware', 'django.middleware.common.CommonMiddleware',
    'django.middleware.csrf.CsrfViewMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware',
    'django.contrib.messages.middleware.MessageMiddleware', 'machina.apps.forum_permission.middleware.ForumPermissionMiddleware']
TEMPLATES = [{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'DIRS': [folder + '/templates', MACHINA_MAIN_TEMPLATE_DIR],
    'OPTIONS': {'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth',
        'django.contrib.messages.context_processors.messages', 'machina.core.context_processors.metadata'],
        'loaders': ['django.template.loaders.filesystem.Loader', 'django.template.loaders.app_directories.Loader']}}]
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': folder + '/forum.sqlite3'}}
CACHES = {'default': {'BACKEND': 'django.core.cache.backends.locmem.LocMemCache'},
    'machina_attachments': {'BACKEND': 'django.core.cache.backends.filebased.FileBasedCache', 'LOCATION': folder + '/attachments'}}
HAYSTACK_CONNECTIONS = {'default': {'ENGINE': 'haystack.backends.simple_backend.SimpleEngine'}}
STATIC_URL = '/static/'
STATICFILES_DIRS = [MACHINA_MAIN_STATIC_DIR]
LOGIN_URL = '/login/'
`

export const forumUrls = `
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.template import engines
from django.urls import include, path
form = '<!doctype html><html lang="en"><title>Log in</title><main><h1>Log in</h1><form method="post">{% csrf_token %}{{ form }}<button>Log in</button></form></main></html>'
class Login(LoginView):
    def render_to_response(self, context, **options):
        return HttpResponse(engines['django'].from_string(form).render(context, self.request))
urlpatterns = [path('login/', Login.as_view(), name='login'), path('logout/', Login.as_view(), name='logout'), path('', include('machina.urls'))]
`

export const forumData = `
import django
django.setup()
from django.contrib.auth.models import User
from machina.core.db.models import get_model
Forum, Topic, Post = get_model('forum', 'Forum'), get_model('forum_conversation', 'Topic'), get_model('forum_conversation', 'Post')
Permission, Granted = get_model('forum_permission', 'ForumPermission'), get_model('forum_permission', 'UserForumPermission')
users = [User.objects.create_user(name, password='x') for name in ['ada', 'bert', 'cleo', 'dora', 'emil', 'finn']]
boards = []
for number in range(2):
    category = Forum.objects.create(name=f'Quay {number}', type=Forum.FORUM_CAT)
    boards += [Forum.objects.create(name=f'Board {number} {step}', parent=category, type=Forum.FORUM_POST) for step in range(2)]
words = 'river stone market garden winter council harbor teacher engine paper window forest'.split()
for number, board in enumerate(boards):
    for step in range(60):
        poster = users[step % 6]
        topic = Topic.objects.create(forum=board, poster=poster, subject=f'Question {step} about {words[step % 12]}', type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED, approved=True)
        for reply in range(1 + step % 4):
            text = ' '.join(words[(step * 7 + reply * 5 + number + index) % 12] for index in range(40))
            Post.objects.create(topic=topic, poster=users[(step + reply) % 6], subject=topic.subject, content=f'{step} {reply}: {text}', approved=True)
for codename in ['can_see_forum', 'can_read_forum', 'can_start_new_topics', 'can_reply_to_topics']:
    Granted.objects.create(permission=Permission.objects.get(codename=codename), anonymous_user=True, has_perm=True)
`
