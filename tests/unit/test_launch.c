// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/launch.h"

static char dir[] = "/tmp/nt-launch-XXXXXX";

static char *in_dir(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	FILE *f = fopen(in_dir(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	chmod(in_dir(name), mode);
}

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	chmod(dir, 0755);
	make_file("plain", "data\n", 0644);
	make_file("noformat", "data\n", 0755);
	make_file("badinterp", "#!/nope/sh\n", 0755);
	return 0;
}

static int remove_dir(void **state)
{
	static const char *const names[] = { "plain", "noformat", "badinterp", "ran", "out",
					     "loop" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(in_dir(names[i]));
	return rmdir(dir);
}

static int wait_for(struct nt_child *c)
{
	struct rusage ru;
	int status, ret;

	for (;;) {
		ret = nt_reap(c, &status, &ru);
		assert_true(ret >= 0);
		if (ret)
			break;
		usleep(2000);
	}
	assert_int_equal(c->pid, 0);
	return nt_exit_code(status);
}

/* The whole way; the exit status numatrace would have. */
static int run(struct nt_launch_opts *o, struct nt_error *e)
{
	struct nt_child c;
	int err = nt_launch(&c, o, e);

	if (err)
		return 125;
	err = nt_release(&c, e);
	if (err) {
		assert_int_equal(c.pid, 0);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		return nt_exec_exit_code(err);
	}
	return wait_for(&c);
}

static int run_argv(char **argv, struct nt_error *e)
{
	struct nt_launch_opts o = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1 };

	return run(&o, e);
}

static int run_word(char *word, struct nt_error *e)
{
	return run_argv((char *[]){ word, NULL }, e);
}

static int run_sh(char *script)
{
	struct nt_error e;

	return run_argv((char *[]){ "sh", "-c", script, NULL }, &e);
}

static void passes_the_status_on(void **state)
{
	struct nt_error e;

	(void)state;
	assert_int_equal(run_word("true", &e), 0);
	assert_int_equal(run_word("false", &e), 1);
	assert_int_equal(run_word("/bin/true", &e), 0);
	assert_int_equal(run_sh("exit 300"), 44);
	assert_int_equal(run_sh("kill -SEGV $$"), 139);
	assert_int_equal(run_sh("kill -KILL $$"), 137);
}

static void tells_why_exec_failed(void **state)
{
	struct nt_error e;

	(void)state;
	assert_int_equal(run_word("/nope", &e), 127);
	assert_string_equal(e.msg, "cannot run /nope: No such file or directory");
	assert_int_equal(run_word("nt-nope", &e), 127);
	assert_string_equal(e.msg, "cannot run nt-nope: command not found");
	assert_int_equal(run_word("", &e), 127);
	assert_int_equal(run_word("/etc/passwd", &e), 126);
	assert_string_equal(e.msg, "cannot run /etc/passwd: Permission denied");
	assert_int_equal(run_word("/tmp", &e), 126);
	assert_int_equal(run_word("/etc/passwd/x", &e), 126);
	assert_int_equal(run_word(in_dir("noformat"), &e), 126);
	assert_non_null(strstr(e.msg, "#! line"));
	assert_int_equal(run_word(in_dir("badinterp"), &e), 127);
	assert_int_equal(symlink("loop", in_dir("loop")), 0);
	assert_int_equal(run_word(in_dir("loop"), &e), 126);
}

static void searches_path_as_execvp(void **state)
{
	char *old = strdup(getenv("PATH")), path[128];
	struct nt_error e;

	(void)state;
	/* A file that may not be run is passed over, and named if there is no better. */
	snprintf(path, sizeof(path), "/etc/passwd:/nope:%s", dir);
	setenv("PATH", path, 1);
	assert_int_equal(run_word("plain", &e), 126);
	assert_int_equal(run_word("nt-nope", &e), 127);
	setenv("PATH", "/etc/passwd", 1);
	assert_int_equal(run_word("nt-nope", &e), 127);
	unsetenv("PATH");
	assert_int_equal(run_word("true", &e), 0);
	setenv("PATH", "", 1);		/* the working directory */
	assert_int_equal(chdir("/bin"), 0);
	assert_int_equal(run_word("true", &e), 0);
	assert_int_equal(chdir("/"), 0);
	setenv("PATH", old, 1);
	free(old);
}

static void holds_until_released(void **state)
{
	char *argv[] = { "touch", in_dir("ran"), NULL };
	struct nt_launch_opts o = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1 };
	struct nt_child c;
	struct nt_error e;

	(void)state;
	assert_int_equal(nt_launch(&c, &o, &e), 0);
	assert_true(c.pidfd >= 0);
	usleep(50000);
	assert_int_equal(access(argv[1], F_OK), -1);
	nt_abort_child(&c);
	assert_int_equal(c.pid, 0);
	assert_int_equal(access(argv[1], F_OK), -1);

	assert_int_equal(nt_launch(&c, &o, &e), 0);
	assert_int_equal(nt_release(&c, &e), 0);
	assert_int_equal(wait_for(&c), 0);
	assert_int_equal(access(argv[1], F_OK), 0);
	unlink(argv[1]);
}

/* numatrace is killed while the command is held: the command must end, and never run. */
static void held_child_ends_with_its_parent(void **state)
{
	char *argv[] = { "touch", in_dir("ran"), NULL };
	struct nt_launch_opts o = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1 };
	int fd[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (!pid) {
		struct nt_child c;
		struct nt_error e;

		/* The held child keeps this pipe open: its end is the end of the pipe. */
		if (nt_launch(&c, &o, &e))
			_exit(1);
		raise(SIGKILL);
	}
	close(fd[1]);
	assert_int_equal(read(fd[0], &byte, 1), 0);
	close(fd[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(access(argv[1], F_OK), -1);
}

static void hands_over_stdio(void **state)
{
	int fd = open(in_dir("out"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *argv[] = { "sh", "-c", "echo one; echo two >&2", NULL };
	struct nt_launch_opts o = { .argv = argv, .stdout_fd = fd, .stderr_fd = fd };
	struct nt_error e;
	char buf[32] = "";

	(void)state;
	assert_int_equal(run(&o, &e), 0);
	assert_int_equal(pread(fd, buf, sizeof(buf) - 1, 0), 8);
	assert_string_equal(buf, "one\ntwo\n");
	close(fd);
}

/* The command has the descriptors it would have had from a shell, and no other. */
static void leaks_no_descriptor(void **state)
{
	char script[128], without[256] = "", with[256] = "";
	struct nt_signals s;
	int fd;

	(void)state;
	snprintf(script, sizeof(script), "ls /proc/self/fd >%s", in_dir("out"));
	assert_int_equal(system(script), 0);
	fd = open(in_dir("out"), O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, without, sizeof(without) - 1) > 0);
	close(fd);

	assert_int_equal(nt_signals_init(&s), 0);
	assert_int_equal(run_sh(script), 0);
	nt_signals_exit(&s);
	fd = open(in_dir("out"), O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, with, sizeof(with) - 1) > 0);
	close(fd);
	assert_string_equal(with, without);
}

static void gives_signals_back(void **state)
{
	char *argv[] = { "sh", "-c", "grep -E '^Sig(Blk|Ign)' /proc/self/status", NULL };
	int fd = open(in_dir("out"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct nt_launch_opts o = { .argv = argv, .stdout_fd = fd, .stderr_fd = -1 };
	unsigned long long blocked, ignored;
	struct nt_signals s;
	struct nt_error e;
	char buf[128] = "";

	(void)state;
	assert_int_equal(nt_signals_init(&s), 0);
	o.sig = &s.found;
	assert_int_equal(run(&o, &e), 0);
	nt_signals_exit(&s);
	assert_true(pread(fd, buf, sizeof(buf) - 1, 0) > 0);
	assert_int_equal(sscanf(buf, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
	assert_int_equal(blocked, 0);
	assert_int_equal(ignored & (1ULL << (SIGPIPE - 1)), 0);
	close(fd);
}

static void switches_user(void **state)
{
	char script[256];
	struct passwd *pw = getpwnam("nobody");
	char *argv[] = { "sh", "-c", script, NULL };
	struct nt_launch_opts o = { .argv = argv, .user = "nobody", .stdout_fd = -1,
				    .stderr_fd = -1 };
	struct nt_error e;

	(void)state;
	if (geteuid() || !pw) {
		print_message("skipped: needs root and the user nobody\n");
		skip();
	}
	snprintf(script, sizeof(script), "[ \"$(id -ru) $(id -u) $(id -rg) $(id -G)\" = "
		 "'%u %u %u %u' ] && [ \"$HOME $USER $LOGNAME\" = '%s nobody nobody' ] && "
		 "! [ -w /etc/passwd ]", pw->pw_uid, pw->pw_uid, pw->pw_gid, pw->pw_gid,
		 pw->pw_dir);
	assert_int_equal(run(&o, &e), 0);
}

static void refuses_users(void **state)
{
	char *argv[] = { "true", NULL };
	struct nt_launch_opts o = { .argv = argv, .user = "nt-no-such-user", .stdout_fd = -1,
				    .stderr_fd = -1 };
	struct nt_error e;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(run(&o, &e), 125);
	assert_string_equal(e.msg, "--user nt-no-such-user: no such user");
	if (geteuid()) {
		print_message("skipped: without root, no other user to try from\n");
		skip();
	}
	pid = fork();
	if (!pid) {
		o.user = "root";
		if (setresuid(65534, 65534, 65534))
			_exit(1);
		_exit(run(&o, &e) == 125 && strstr(e.msg, "only root") ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_the_status_on),
		cmocka_unit_test(tells_why_exec_failed),
		cmocka_unit_test(searches_path_as_execvp),
		cmocka_unit_test(holds_until_released),
		cmocka_unit_test(held_child_ends_with_its_parent),
		cmocka_unit_test(hands_over_stdio),
		cmocka_unit_test(leaks_no_descriptor),
		cmocka_unit_test(gives_signals_back),
		cmocka_unit_test(switches_user),
		cmocka_unit_test(refuses_users),
	};

	return cmocka_run_group_tests_name("launch", tests, make_dir, remove_dir);
}
